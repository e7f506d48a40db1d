# Reads docs/predictions/answers.txt, then outputs of commands; prints an awk program that prints the
# tables of docs/predictions.md. In an answer, {L1.1 w 4} is the fourth word of the line that begins with
# w in the output of command L1.1; with several such lines, of several seeds, their median, or the least
# or the largest of them: {G4.3 H4 6 max}.
# key: the first word of a line, or several joined by _.
function cell(id, key, column, which,    i, j, n, words, line, all, parts, least) {
    gsub(/_/, " ", key)
    n = 0
    for (i = 1; i <= lines[id]; i++) {
        line = text[id, i]
        sub(/^ +/, "", line)
        if (index(line " ", key " ") == 1) {
            split(line, words, / +/)
            gsub(/[,;]/, "", words[column])
            if (words[column] ~ /^[-+0-9.]+$/ && words[column] ~ /[0-9]/) all[++n] = words[column] + 0
        }
    }
    if (n == 0) {
        print "predictions: nothing in the output of " id " for " key " " column | "cat >&2"
        isMissing = 1
        return 0
    }
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (all[j] < all[i]) { least = all[j]; all[j] = all[i]; all[i] = least }
    if (which == "min") return all[1]
    if (which == "max") return all[n]
    return n % 2 ? all[(n + 1) / 2] : (all[n / 2] + all[n / 2 + 1]) / 2
}
function trimmed(text) { gsub(/^ +| +$/, "", text); return text }
function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }

FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.txt$/, "", file); isAnswers = file == "answers" }
isAnswers { if ($0 !~ /^#/ && $0 != "") answers[++count] = $0; next }
{ text[file, ++lines[file]] = $0 }

END {
    print "function row(id, value, unit, low, high, known, commands, how) {"
    print "    printf \"| %s | %s | %s | %s | %s | %s | %s | %s |\\n\", id, value, unit, low, high, known, commands, how"
    print "}"
    print "function rounded(value) { return sprintf(\"%.3g\", value) + 0 }"
    print "BEGIN {"
    for (i = 1; i <= count; i++) {
        if (answers[i] ~ /^let /) {
            print "    " trimmed(substr(answers[i], 5))
        } else if (answers[i] ~ /^table /) {
            print "    print " quoted("")
            print "    print " quoted("### " substr(answers[i], 7))
            print "    print " quoted("")
            print "    row(\"id\", \"value\", \"unit\", \"low\", \"high\", \"recognised\", \"command\", \"how\")"
            print "    row(\"---\", \"---:\", \"---\", \"---:\", \"---:\", \"---\", \"---\", \"---\")"
        } else {
            split(answers[i], field, "|")
            for (f in field) field[f] = trimmed(field[f])
            value = field[3]
            commands = ""
            while (match(value, /\{[^}]*\}/)) {
                delete token
                split(substr(value, RSTART + 1, RLENGTH - 2), token, " ")
                value = substr(value, 1, RSTART - 1) cell(token[1], token[2], token[3], token[4]) substr(value, RSTART + RLENGTH)
                if (index(" " commands " ", " " token[1] " ") == 0) commands = commands (commands ? " " : "") token[1]
            }
            # An answer that is worked out from another one has the commands of that one, too.
            for (k = 1; k <= known; k++) {
                other = ids[k]
                if ((" " value " ") ~ ("[^A-Za-z0-9_]" other "[^A-Za-z0-9_]") && index(commands, commandsOf[other]) == 0)
                    commands = commands (commands ? " " : "") commandsOf[other]
            }
            if (commands != "") {
                ids[++known] = field[1]
                commandsOf[field[1]] = commands
            }
            if (commands == "") commands = field[3] == "cannot" ? "-" : "none"
            if (field[3] == "cannot") print "    row(" quoted(field[1]) ", \"cannot\", " quoted(field[2]) ", \"\", \"\", " \
                quoted(field[6]) ", \"-\", " quoted(field[7]) ")"
            else print "    " "row(" quoted(field[1]) ", rounded(" field[1] " = " value "), " \
                quoted(field[2]) ", " quoted(field[4]) ", " quoted(field[5]) ", " quoted(field[6]) ", " quoted(commands) ", " \
                quoted("`" field[3] "`; " field[7]) ")"
        }
    }
    print "}"
    if (isMissing) exit 1
}
