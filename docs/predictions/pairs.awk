# Prints flows in htsim's form: host i of the first half and host i of the second half send to each
# other over several connections, as fast as they can, and probes of 512 bytes go between the same hosts.
#   awk -v hosts=384 -v active=192 -v connections=8 -v bytes=1000000000 -v probes=0 -f pairs.awk
# active: pairs that send; connections: of each pair, each way. A probe starts every microsecond, between
# two hosts of different halves; the times of a probe are the only ones known when the others never end.
BEGIN {
    half = hosts / 2
    printf "Nodes %d\nConnections %d\n", hosts, 2 * active * connections + probes
    for (i = 0; i < active; i++)
        for (c = 0; c < connections; c++) {
            # Connections of a host start apart, as those of processes do.
            printf "%d->%d start %d size %d\n", i, i + half, (i * 7919 + c * 104729) % 1000000, bytes
            printf "%d->%d start %d size %d\n", i + half, i, (i * 6101 + c * 15485) % 1000000, bytes
        }
    for (p = 0; p < probes; p++)
        printf "%d->%d start %.0f size 512\n", p % half, half + (p * 7 + 3) % half, begin + p * 1000000
}
