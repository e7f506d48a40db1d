# Prints a Clos fabric in ibnetdiscover's form: pods of ToRs with hosts, leaves above each ToR of a
# pod, and spines above the leaves of all pods.
#   awk -v pods=2 -v tors=24 -v hosts=8 -v leaves=4 -v spines=64 -v mesh=0 -f clos.awk
# With mesh=1 every leaf has a cable to every spine; otherwise the spines are shared out among the
# leaves of a pod, so that leaf 0 of each pod has a cable to each of the first spines.
function cable(from, to) {
    ports[from]++
    ports[to]++
    lines[from] = lines[from] sprintf("[%d]\t\"%s\"[%d]\n", ports[from], to, ports[to])
    lines[to] = lines[to] sprintf("[%d]\t\"%s\"[%d]\n", ports[to], from, ports[from])
}
function node(kind, number) { return sprintf("%s%015x", kind == "host" ? "H-0" : "S-" base[kind], number) }
function show(kind, number, id) {
    id = node(kind, number)
    printf "%s\t%d \"%s\"\t\t# \"%s %d\"\n%s\n", kind == "host" ? "Ca" : "Switch", ports[id], id, kind,
        number, lines[id]
}
BEGIN {
    base["tor"] = 1
    base["leaf"] = 2
    base["spine"] = 3
    for (pod = 0; pod < pods; pod++) {
        for (tor = pod * tors; tor < (pod + 1) * tors; tor++) {
            for (host = 0; host < hosts; host++) cable(node("tor", tor), node("host", tor * hosts + host))
            for (leaf = 0; leaf < leaves; leaf++) cable(node("tor", tor), node("leaf", pod * leaves + leaf))
        }
        for (leaf = 0; leaf < leaves; leaf++)
            for (spine = 0; spine < spines; spine++)
                if (mesh || int(spine * leaves / spines) == leaf)
                    cable(node("leaf", pod * leaves + leaf), node("spine", spine))
    }
    for (i = 0; i < pods * tors; i++) show("tor", i)
    for (i = 0; i < pods * leaves; i++) show("leaf", i)
    for (i = 0; i < spines; i++) show("spine", i)
    for (i = 0; i < pods * tors * hosts; i++) show("host", i)
}
