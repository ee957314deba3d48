#!/bin/sh
# today: title=Hello description="An example to change or delete."
echo "Hello from __NAME__"
