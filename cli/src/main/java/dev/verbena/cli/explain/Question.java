package dev.verbena.cli.explain;

import dev.verbena.verbs.CompletionStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes out what is asked: a number, a name, both codes, or a line of somebody's log.
final class Question {
    private static final String NUMBER = "(0x[0-9a-f]{1,7}|[0-9]{1,9})";
    private static final Pattern PAIR = Pattern.compile(NUMBER + "(?:\\s*/\\s*" + NUMBER + ")?");
    private static final Pattern ERRNO = Pattern.compile("\\berrno[ =:]*([0-9]{1,9})");

    // "error 12, opcode 0", "status=12 opcode=1", "Failed status 12: wr_id 0"
    private static final Pattern STATUS =
            Pattern.compile("\\b(?:error|status)[ =:]*([0-9]{1,9})\\b");

    // "vendor err 129", "vendor_err=0x81", "vend 0x81", "syndrom 0x81"
    private static final Pattern VENDOR =
            Pattern.compile(
                    "\\b(?:vend(?:or)?[ _]*(?:err\\w*|synd\\w*)?|syndrome?)[ =:]*" + NUMBER);

    // "synd 0x15 vend 0x81": the NIC's own number of the status comes first.
    private static final Pattern SYNDROME = Pattern.compile("\\bsynd 0x([0-9a-f]{1,7})");

    private Question() {}

    /// The answer; empty when nothing in the words is known.
    static Optional<Explanation> answer(String words) {
        String text = words.strip().toLowerCase(Locale.ROOT);
        OptionalInt vendor = vendor(text);
        Matcher pair = PAIR.matcher(text);
        if (pair.matches()) {
            String second = pair.group(2);
            int code = number(pair.group(1));
            OptionalInt beside =
                    second == null ? OptionalInt.empty() : OptionalInt.of(number(second));
            return status(code, beside).or(() -> errno(code));
        }
        return named(text, vendor)
                .or(() -> find(ERRNO, text, 10).flatMap(Question::errno))
                .or(() -> find(SYNDROME, text, 16).flatMap(it -> syndrome(it, vendor)))
                .or(() -> find(STATUS, text, 10).flatMap(it -> status(it, vendor)))
                .or(() -> spoken(text, vendor));
    }

    static Optional<Explanation> status(int code, OptionalInt vendor) {
        return WorkStatus.of(code).map(status -> explanation(status, vendor));
    }

    private static Optional<Explanation> syndrome(int syndrome, OptionalInt vendor) {
        return WorkStatus.ofSyndrome(syndrome).map(status -> explanation(status, vendor));
    }

    private static Optional<Explanation> errno(int code) {
        return Arrays.stream(Errno.values())
                .filter(errno -> errno.code() == code)
                .findFirst()
                .map(Errno::explanation);
    }

    /// A name stands for itself wherever it stands: ours, libibverbs', or of errno.h.
    private static Optional<Explanation> named(String text, OptionalInt vendor) {
        List<String> words = List.of(text.toUpperCase(Locale.ROOT).split("[^A-Z0-9_]+", -1));
        for (WorkStatus status : WorkStatus.values()) {
            boolean isOurs =
                    !status.isForeign()
                            && words.contains(CompletionStatus.of(status.code()).name());
            boolean isSuccess = status == WorkStatus.IBV_WC_SUCCESS && words.size() > 1;
            if (words.contains(status.name())
                    || (!isSuccess && (isOurs || words.contains(status.shortName())))) {
                return Optional.of(explanation(status, vendor));
            }
        }
        return Arrays.stream(Errno.values())
                .filter(errno -> words.contains(errno.name()))
                .findFirst()
                .map(Errno::explanation);
    }

    /// What libraries print for a status or an errno.
    private static Optional<Explanation> spoken(String text, OptionalInt vendor) {
        return Arrays.stream(WorkStatus.values())
                .filter(status -> status != WorkStatus.IBV_WC_SUCCESS)
                .filter(status -> text.contains(status.words().toLowerCase(Locale.ROOT)))
                .findFirst()
                .map(status -> explanation(status, vendor))
                .or(
                        () ->
                                Arrays.stream(Errno.values())
                                        .filter(
                                                it ->
                                                        text.contains(
                                                                it.words()
                                                                        .toLowerCase(Locale.ROOT)))
                                        .findFirst()
                                        .map(Errno::explanation));
    }

    private static Explanation explanation(WorkStatus status, OptionalInt vendor) {
        String beside =
                vendor.isEmpty() ? "" : VendorSyndrome.explain(status.code(), vendor.getAsInt());
        if (status.isForeign()) {
            return new Explanation(
                    status.shortName(),
                    status.code(),
                    status.name(),
                    "Of reliable datagrams or tag matching, services that Verbena does not have.",
                    beside,
                    LocalCauses.of(CompletionStatus.GENERAL));
        }
        CompletionStatus ours = CompletionStatus.of(status.code());
        return new Explanation(
                ours.name(),
                ours.code(),
                status.name(),
                ours.meaning(),
                beside,
                RemoteCauses.of(ours));
    }

    private static OptionalInt vendor(String text) {
        Matcher matcher = VENDOR.matcher(text);
        OptionalInt found = OptionalInt.empty();
        while (matcher.find()) {
            found = OptionalInt.of(number(matcher.group(1)));
        }
        return found;
    }

    /// Not as Java reads it, for which a leading zero means octal.
    private static int number(String text) {
        return text.startsWith("0x")
                ? Integer.parseInt(text, 2, text.length(), 16)
                : Integer.parseInt(text);
    }

    private static Optional<Integer> find(Pattern pattern, String text, int radix) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find()
                ? Optional.of(Integer.parseInt(matcher.group(1), radix))
                : Optional.empty();
    }
}
