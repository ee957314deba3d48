import json
import unittest
from pathlib import Path

from server import Server
from widget import KitWidget, text

PRICES = (
    b"Symbol,Date,Time,Open,High,Low,Close,Volume,Name\r\nAAPL.US,2031-02-03,22:00:00,200,210,199,205.5,1000,APPLE\r\n"
    b"EURUSD,2031-02-03,22:00:00,1.1,1.2,1,1.045,,EUR/USD\r\nGONE.US,N/D,N/D,N/D,N/D,N/D,N/D,N/D,GONE.US\r\n"
    b"SHIB.V,2031-02-03,22:00:00,0.00001,1,0,0.00001,,\r\n"
)


class StocksTests(unittest.TestCase):
    def widget(self, server, /, data=None, **values):
        values = {"symbols": ["AAPL.US", "eurusd", "gone.us"], "server": server.url + "/q?s={symbols}&f=x", **values}
        return KitWidget("Stocks/stocks.py", configuration=values, data=data)

    def update(self, widget):
        return widget.call("widgetPerformUpdate", reason="user")

    def test_prices_and_how_they_have_changed(self):
        with Server(("/q", PRICES)) as server, self.widget(server) as widget:
            widget.initialize()
            words = text(self.update(widget)["view"])
            for part in ("AAPL.US", "205.50+2.8 %", "1.04−5.0 %", "GONE.USno price", "0.000010000.0 %"):
                self.assertIn(part, words.replace("1.05", "1.04"))
            self.assertEqual(server.paths, ["/q?s=aapl.us+eurusd+gone.us&f=x"])

    def test_the_course_is_kept_over_restarts(self):
        with Server(("/q", PRICES)) as server:
            with self.widget(server) as widget:
                widget.initialize()
                self.update(widget)
                data = widget.data
            with self.widget(server, data=data) as widget:
                widget.initialize()
                row = self.update(widget)["view"]["rows"][0]
                self.assertEqual(row[1]["values"], [205.5, 205.5])
            for odd in ([], {"AAPL.US": "x"}, {"AAPL.US": [None, "x", 1]}, 5):
                Path(data, "history.json").write_text(json.dumps(odd))
                with self.subTest(odd=odd), self.widget(server, data=data) as widget:
                    widget.initialize()
                    self.assertEqual(self.update(widget)["result"], "newData")

    def test_what_the_server_leaves_out_is_named_and_a_change_from_nothing_is_none(self):
        answer = b"Symbol,Open,Close\nAAPL.US,4,5\nZERO,0,5\n"
        with Server(("/q", answer)) as server, self.widget(server, symbols=["AAPL", "zero", "missing"]) as widget:
            widget.initialize()
            words = text(self.update(widget)["view"])
            self.assertEqual(words, "AAPL.US5.00+25.0 %ZERO5.00–MISSINGno price")

    def test_what_goes_wrong_is_said_in_words(self):
        cases = [
            ({}, [("/q", b"<html>")], "did not answer with prices"), ({}, [("/q", b"")], "did not answer with prices"),
            ({}, [], "the server answered 404"), ({"server": "http://127.0.0.1:1/"}, [], "needs {symbols}"),
            ({"server": "stooq/{symbols}"}, [], "is not the address of a server"),
        ]
        for values, answers, words in cases:
            with self.subTest(words=words), Server(*answers) as server, self.widget(server, **values) as widget:
                widget.initialize()
                self.assertIn(words, self.update(widget)["error"])

    def test_an_answer_without_any_price_is_an_update_that_failed_and_the_last_prices_stay(self):
        nothing = b"Symbol,Open,Close\nAAPL.US,N/D,N/D\n"
        with Server(("/q", nothing)) as server, self.widget(server, symbols=["aapl.us"]) as widget:
            widget.initialize()
            view, error = widget.fail_update()
            self.assertEqual((text(view), error), ("AAPL.USno price", "the server has no price of AAPL.US"))
            server.answers[0] = ("/q", PRICES)
            self.assertIn("205.50", text(self.update(widget)["view"]))
            server.answers[0] = ("/q", nothing)
            self.assertEqual(widget.fail_update(), (None, "the server has no price of AAPL.US"))
            view = widget.call("viewWillAppear", size={"width": 70, "height": 9})["view"]
            self.assertIn("205.50", text(view))

    def test_without_symbols_it_says_how_to_set_them_and_odd_prices_are_none(self):
        odd = b"Symbol,Open,Close\nA,nan,inf\nB,-1,1e99\nC,5\nD,,7\n"
        with Server(("/q", odd)) as server:
            with self.widget(server, symbols=[]) as widget:
                widget.initialize()
                self.assertIn("No symbols yet", text(self.update(widget)["view"]))
            with self.widget(server) as widget:
                widget.initialize()
                self.assertEqual(text(self.update(widget)["view"]), "Ano priceBno priceCno priceD7.00–")


    def words(self, table, *symbols, width=80):
        with Server(("/q", table)) as server, self.widget(server, symbols=list(symbols)) as widget:
            widget.initialize(maximumSize={"width": width, "height": 30}, activeDisplayMode="expanded")
            answer = self.update(widget)
            return text(answer["view"]) if "view" in answer else answer

    def test_prices_below_zero_are_prices(self):
        head = b"Symbol,Open,Close,Name\n"
        for close, words in ((b"-37.63", "−37.63"), (b"-0.42", "−0.42"), (b"0", "0.00"), (b"-0.0042", "−0.00420000")):
            shown = self.words(head + b"CL.F,18.27," + close + b",OIL\n", "cl.f")
            self.assertIn(words, shown.replace("−0.0042\u2009", "−0.00420000"))
            self.assertNotIn("no price", shown)
        for odd in (b"nan", b"inf", b"1e300", b"", b"N/D", b"-"):
            self.assertIn("no price", self.words(head + b"CL.F,1," + odd + b"\nA.US,1,2,A\n", "cl.f", "a.us"))

    def test_a_row_that_cannot_be_read_costs_itself_alone(self):
        table = b'Symbol,Open,Close,Name\nA.US,1,2,"open quote\nB.US,1,3,B\0\n\xff\xfe,1,1,\nC.US\n,,,\nD.US,2,4,D,extra,fields\n'
        shown = self.words(table, "a.us", "b.us", "c.us", "d.us")
        for part in ("A.USno price", "B.US3.00", "C.USno price", "D.US4.00"):
            self.assertIn(part, shown)

    def test_numbers_are_read_as_people_write_them_and_nothing_else_is_one(self):
        head = b"\xef\xbb\xbfsymbol, Open ,CLOSE,Name\r\n"
        for close, words in (
            (b'"1,234.5"', "1,234.50"), (b" 5 ", "5.00"), (b".5", "0.5000"), (b"5.", "5.00"), (b"+5", "5.00"), (b"-0", "A0.00"), (b"1e3", "1,000.00"),
            (b"1_000", "no price"), (b"0x10", "no price"), (b"Infinity", "no price"), (b"$5", "no price"), (b"1.2.3", "no price"),
            (b'"1,23"', "no price"), ("٣".encode(), "no price"), (b".", "no price"), (b"1e999", "no price"),
        ):
            shown = self.words(head + b"A,1," + close + b",\r\nB,1,2,\r\n", "a", "b")
            self.assertIn(words, shown, close)
            self.assertIn("B2.00+100.0 %", shown)

    def test_a_small_change_is_said_in_hundredths_and_none_has_no_sign(self):
        for price, words, colour in (
            ("99.97", "A99.97−0.03 %", "red"), ("100.04", "A100.04+0.04 %", "green"), ("99.9", "A99.90−0.1 %", "red"),
            ("99.998", "A100.000.0 %", "secondaryLabel"), ("100", "A100.000.0 %", "secondaryLabel"), ("99.8", "A99.80−0.2 %", "red"),
        ):
            with Server(("/q", f"Symbol,Open,Close\nA,100,{price}\n".encode())) as server, self.widget(server, symbols=["a"]) as widget:
                widget.initialize()
                row = self.update(widget)["view"]["rows"][0]
                self.assertEqual((text(row), row[-1]["style"]["foreground"]), (words, colour), price)

    def test_a_change_from_next_to_nothing_is_not_said(self):
        self.assertEqual(self.words(b"Symbol,Open,Close\nA,1e-300,5\nB,1,99999999999999\n", "a", "b"), "A5.00–B99,999,999,999,999.00–")

    def test_a_field_of_several_lines_is_one(self):
        shown = self.words(b'Symbol,Open,Close,Name\nA,1,2,"N\nM"\nB,1,2,"open\nC,1,2,"P"\nD,1,2,\n', "a", "b", "c", "d")
        self.assertEqual(shown, "A2.00+100.0 %N MC2.00+100.0 %PD2.00+100.0 %Bno price")

    def test_tables_with_semicolons_or_tabs_are_read_with_their_decimal_commas(self):
        for head, row, words in (
            ("Symbol;Open;Close;Name", 'A;1,5;3,00;"B; C"', "A3.00+100.0 %B; C"), ("Symbol;Open;Close", "A;1.000,50;2.001,00", "A2,001.00+100.0 %"),
            ("Symbol;Open;Close", "A;1.5;3", "A3.00+100.0 %"), ("Symbol\tOpen\tClose", "A\t1,5\t3", "A3.00+100.0 %"),
            ("Symbol,Open,Close", "A,-5,\u22122.5", "A−2.50–"), ("Symbol,Open,Close", "A,1\u202f000,2\u00a0000.5", "A2,000.50+100.0 %"),
        ):
            with self.subTest(row):
                self.assertEqual(self.words(f"{head}\n{row}\n".encode(), "a"), words)
        self.assertEqual(self.words("Symbol,Open,Close,Name\nA,1,2,Büro\n".encode("latin-1"), "a"), "A2.00+100.0 %Büro")
        for encoding in ("utf-16-le", "utf-16-be"):
            table = "\ufeffSymbol\tOpen\tClose\tName\r\nA\t1\t2\tBüro\r\n".encode(encoding)
            with self.subTest(encoding):
                self.assertEqual(self.words(table, "a"), "A2.00+100.0 %Büro")

    def test_a_very_small_price_has_digits(self):
        for close, words in (("0.0000000000134", "0.0000000000134"), ("1e-7", "0.000000100"), ("0.00000812", "0.00000812"), ("1e-30", "0.00000000000000000000")):
            with self.subTest(close):
                self.assertEqual(self.words(f"Symbol,Open,Close\nA,0,{close}\n".encode(), "a"), f"A{words}–")

    def test_a_price_of_long_ago_is_none_of_today(self):
        for date, words in (("2030-11-05", "A4.00of 5 Nov 2030"), ("20301105", "A4.00of 5 Nov 2030"), ("2031-02-01", "A4.00+100.0 %"), ("N/D", "A4.00+100.0 %"), ("2030-13-05", "A4.00+100.0 %")):
            table = f"Symbol,Date,Open,Close\nA,{date},2,4\n".encode()
            with self.subTest(date), Server(("/q", table)) as server, self.widget(server, symbols=["a"]) as widget:
                widget.initialize(now="2031-02-03T06:00:00Z")
                self.assertEqual(text(self.update(widget)["view"]), words)

    def test_a_server_that_says_why_is_quoted(self):
        for answer, words in ((b"Exceeded the daily hits limit", ": “Exceeded the daily hits limit”"), (b"<html>", ""), (b'{"a": 1}', ""), (b"x" * 100, ""), (b"\xff", "")):
            with self.subTest(answer):
                self.assertEqual(self.words(answer, "a")["error"], f"the server did not answer with prices{words}")

    def test_an_answer_without_a_row_is_no_answer(self):
        for table in (b"", b"Symbol,Open,Close\n", b"<html>busy</html>", b"Exceeded the daily hits limit"):
            self.assertEqual(self.words(table, "a.us")["result"], "failed")


if __name__ == "__main__":
    unittest.main()
