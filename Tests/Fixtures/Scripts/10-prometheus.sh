#!/bin/sh
# today: title="Prometheus" format=prometheus metrics="node_load1 as Load, rate(bytes_total), up as \"Is up\", gone"
cat <<'METRICS'
# TYPE node_load1 gauge
node_load1 0.52
bytes_total{device="eth0"} 12345
bytes_total{device="lo"} 99
up 1
METRICS
