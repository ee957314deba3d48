#!/bin/sh
# <xbar.title>Menu</xbar.title>
cat <<'MENU'
3 running :rocket: | color=green
---
**web** is *fine* | md=true
main | checked=true
--passed | color=green
---
Stop all | bash=./stop.sh param1=all
Open | href=https://example.com badge=2
Gone | disabled=true
MENU
