package dev.verbena.cli;

import dev.verbena.verbs.Endpoint;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import java.io.PrintWriter;
import java.util.Locale;

/// The table that perftest's users know: the same block of settings, labels, columns and widths.
final class PerfTable implements PerfReport {
    private static final String LINE = "-".repeat(87);
    private static final double MIB = 1 << 20;
    private static final double GIGABIT = 125e6;
    private static final int QPS_SHOWN = 16;
    private static final int POLL_BATCH = 16;

    private final PrintWriter out;
    private final boolean inGigabits;
    private boolean isDuration;
    private boolean isLatency;

    PerfTable(PrintWriter out, boolean inGigabits) {
        this.out = out;
        this.inGigabits = inGigabits;
    }

    @Override
    public void begin(Setting setting) {
        PerfOptions options = setting.options();
        isLatency = options.measure().kind() == PerfKind.LAT;
        isDuration = options.amount().durationSeconds() > 0;
        line(LINE);
        line("                    " + title(options, " "));
        settings(setting);
        line(LINE);
        addresses("local", setting.here(), options);
        addresses("remote", setting.there(), options);
        line(LINE);
        columns();
        out.flush();
    }

    /// The name of a test, as perftest has it in tables with blanks and in JSON with underscores.
    static String title(PerfOptions options, String gap) {
        String atomic =
                options.measure().verb() == PerfVerb.ATOMIC ? options.measure().atomic() + gap : "";
        String both = options.measure().isBidirectional() ? "Bidirectional" + gap : "";
        String list = options.posting().postList() > 1 ? "Post" + gap + "List" + gap : "";
        String kind = options.measure().kind() == PerfKind.BW ? both + list + "BW" : "Latency";
        return options.measure().verb().title() + gap + atomic + kind + gap + "Test";
    }

    private void settings(Setting setting) {
        PerfOptions options = setting.options();
        line(" Dual-port       : OFF\t\tDevice         : " + setting.device().name());
        line(" Number of qps   : " + options.pairs().count() + "\t\tTransport type : IB");
        line(" Connection type : " + options.pairs().type() + "\t\tUsing SRQ      : OFF");
        line(" PCIe relax order: OFF\t\tLock-free      : OFF");
        line(" ibv_wr* API     : ON\t\tUsing Enhanced Reorder      : OFF");
        if (setting.isClient() || options.measure().isBidirectional()) {
            line(" TX depth        : " + options.posting().txDepth());
        }
        if (options.posting().postList() > 1) {
            line(" Post List       : " + options.posting().postList());
        }
        if (options.measure().verb().needsReceives()
                && (!setting.isClient() || options.measure().isBidirectional())) {
            line(" RX depth        : " + options.posting().rxDepth());
        }
        if (!isLatency) {
            line(" CQ Moderation   : " + options.posting().cqModeration());
            line(" CQE Poll Batch  : " + POLL_BATCH);
        }
        line(" Mtu             : " + setting.mtu() + "[B]");
        line(" Link type       : " + linkType(setting));
        line(" GID index       : 0");
        if (options.measure().verb().isRoundTrip()) {
            line(" Outstand reads  : " + setting.there().endpoints().getFirst().reads());
        } else {
            line(" Max inline data : " + options.posting().inlineBytes() + "[B]");
        }
        line(" rdma_cm QPs\t : OFF");
        line(" Data ex. method : Ethernet");
    }

    static String linkType(Setting setting) {
        return setting.device().port(1).linkLayer() == LinkLayer.ETHERNET ? "Ethernet" : "IB";
    }

    private void addresses(String whose, PerfPeer peer, PerfOptions options) {
        int count = Math.min(QPS_SHOWN, peer.endpoints().size());
        for (Endpoint endpoint : peer.endpoints().subList(0, count)) {
            String memory =
                    options.measure().verb().needsReceives()
                            ? ""
                            : " RKey ..%02x VAddr 0x%014x"
                                    .formatted(peer.memory().key() & 0xFF, peer.memory().address());
            line(
                    " %s address: LID %s QPN 0x%04x PSN 0x%06x%s"
                            .formatted(
                                    whose,
                                    endpoint.lid() == 0
                                            ? "0000"
                                            : "0x%02x".formatted(endpoint.lid()),
                                    endpoint.queuePair(),
                                    endpoint.psn(),
                                    memory));
            line(" GID: " + decimal(endpoint.gid()));
        }
        if (count < peer.endpoints().size()) {
            line(" and " + (peer.endpoints().size() - count) + " more");
        }
    }

    /// A GID as perftest prints it: each octet as a decimal number.
    static String decimal(Gid gid) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Gid.LENGTH; i++) {
            long half = i < Long.BYTES ? gid.high() : gid.low();
            long octet = half >>> (56 - 8 * (i % Long.BYTES)) & 0xFF;
            text.append(i == 0 ? "" : ":").append("%02d".formatted(octet));
        }
        return text.toString();
    }

    private void columns() {
        if (isLatency && isDuration) {
            line(" #bytes        #iterations       t_avg[usec]    tps average");
        } else if (isLatency) {
            line(
                    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]   "
                            + " t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9%"
                            + " percentile[usec] ");
        } else {
            String unit = inGigabits ? "Gb" : "MiB";
            line(
                    (" #bytes     #iterations    BW peak[%s/sec]    BW average[%s/sec]  "
                                    + " MsgRate[Mpps]")
                            .formatted(unit, unit));
        }
    }

    @Override
    public void row(PerfResult result, boolean isWarm) {
        switch (result) {
            case PerfResult.None none -> {}
            case PerfResult.Bandwidth it -> {
                double unit = inGigabits ? GIGABIT : MIB;
                boolean isSmall = inGigabits && it.average() / unit < 0.1;
                line(
                        String.format(
                                Locale.ROOT,
                                isSmall
                                        ? " %-7d    %d           %-7.6f            %-7.6f          "
                                                + "  %-7.6f"
                                        : " %-7d    %-10d       %-7.2f            %-7.2f\t\t     "
                                                + "%-7.6f",
                                it.bytes(),
                                it.messages(),
                                it.peak() / unit,
                                it.average() / unit,
                                it.rate() / 1e6));
            }
            case PerfResult.Latency it -> latency(it);
        }
        if (result.lost() > 0) {
            line(" %,d messages were lost".formatted(result.lost()));
        }
        if (!isWarm && !(result instanceof PerfResult.None)) {
            line(" Not warm yet: the JVM still compiled; use a larger --warm_up_ms");
        }
        out.flush();
    }

    private void latency(PerfResult.Latency it) {
        if (isDuration) {
            line(
                    String.format(
                            Locale.ROOT,
                            " %-7d       %d            %-7.2f        %-7.2f",
                            it.bytes(),
                            it.messages(),
                            it.average(),
                            it.perSecond()));
            return;
        }
        line(
                String.format(
                        Locale.ROOT,
                        " %-7d %d          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t"
                                + "%-7.2f\t\t%-7.2f \t\t%-7.2f",
                        it.bytes(),
                        it.messages(),
                        it.min(),
                        it.max(),
                        it.typical(),
                        it.average(),
                        it.deviation(),
                        it.percentile99(),
                        it.percentile999()));
    }

    @Override
    public void samples(double[] values) {
        line("#, usec");
        for (int i = 0; i < values.length; i++) {
            line(String.format(Locale.ROOT, "%d, %.3f", i + 1, values[i]));
        }
        line(LINE);
        columns();
    }

    @Override
    public void end() {
        line(LINE);
        out.flush();
    }

    /// Ends lines as perftest does, on every system.
    private void line(String text) {
        out.print(text);
        out.print('\n');
    }
}
