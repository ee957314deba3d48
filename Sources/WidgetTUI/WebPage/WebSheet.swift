/// The rules of a web page that are the same in all themes.
nonisolated enum WebSheet {
  /// The rules.
  ///
  /// The text of a card has the size at which its columns (`--n`) fill the card: 0.602 of the size is the width of most
  /// monospaced fonts. A row has a whole number of pixels where the browser can round, so that drawings in rows below
  /// each other join.
  static let text = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0 auto;padding:clamp(12px,2.2vw,40px);max-width:2400px;background:var(--page);color:var(--text);\
    font:16px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}
    h1,h2,p{margin:0}
    body>header{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 1.5rem;\
    margin:0 4px clamp(12px,1.6vw,24px)}
    h1{font-size:clamp(1.5rem,1.1rem + 1.4vw,2.2rem);letter-spacing:-.02em;line-height:1.2;overflow-wrap:anywhere}
    body>header p,footer{color:var(--quiet)}
    main{columns:24rem;column-gap:clamp(12px,1.2vw,20px)}
    article{container-type:inline-size;break-inside:avoid;position:relative;overflow:hidden;padding:12px 16px 14px;\
    margin:0 0 clamp(12px,1.2vw,20px);background:var(--card);border:1px solid var(--edge);border-radius:14px}
    article.wide{column-span:all}
    article>header{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 .75rem;\
    margin-bottom:6px}
    h2{font-size:1rem;font-weight:650;letter-spacing:-.005em;overflow-wrap:anywhere}
    .sign{font-family:ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace;font-weight:400;margin-right:.45em}
    article>header p{color:var(--quiet);font-size:.8125rem;font-variant-numeric:tabular-nums}
    .warn{color:var(--warn);font-size:.875rem;margin-bottom:4px}
    .warn:before{content:"\\26A0\\FE0E\\2002"}
    pre{--row:1.35em;margin:0;position:relative;overflow:hidden;line-height:var(--row);font-size:12px;\
    font-family:ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',Consolas,'Liberation Mono',monospace;\
    font-variant-ligatures:none;tab-size:1}
    @supports (width:1cqi){pre{font-size:clamp(8px,calc(100cqi/var(--n)/.605),16px)}}
    @supports (width:round(1.3em,1px)){pre{--row:round(1.35em,1px)}}
    pre svg{display:inline-block;height:var(--row);vertical-align:top;overflow:visible}
    pre a{color:inherit;text-decoration:underline;text-underline-offset:.18em}
    a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
    .w,.n{display:inline-block;font-style:inherit;width:2ch;height:var(--row);vertical-align:top;text-align:center;white-space:pre}
    .n{width:1ch;display:inline-flex;justify-content:center}
    .image{position:absolute;overflow:hidden}
    .image img{position:absolute;object-fit:contain}
    .over{position:absolute}
    .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .broad{display:none}
    @media (min-width:56rem){.broad{display:block}.slim{display:none}}
    .empty{color:var(--quiet);padding:2rem 4px}
    footer{margin:clamp(12px,1.6vw,24px) 4px 0;font-size:.8125rem}
    @media (min-width:100rem){body{font-size:17px}}
    @media print{body{background:none;padding:0}article{border-color:#999}footer{display:none}}
    """
}
