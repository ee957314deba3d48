# The sequence of debhelper for widgets of today: dh --with today.
use warnings;
use strict;
use Debian::Debhelper::Dh_Lib;

insert_after("dh_install", "dh_today");

1;
