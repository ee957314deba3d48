#!/bin/sh
# today: title="Nagios" format=nagios
echo "DISK WARNING - free space: /home 3326 MB (15%)| /=2643MB;5948;5958;0;5968 /home=85%;80;90 users=3;5;10"
exit 1
