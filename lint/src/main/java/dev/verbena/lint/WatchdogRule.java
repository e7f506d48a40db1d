package dev.verbena.lint;

import java.util.List;
import java.util.Optional;

/// Does a watchdog end pause storms, in time?
final class WatchdogRule implements Rule {
    // The limits of SONiC's watchdog, in milliseconds.
    private static final int DETECTION_LEAST = 100;
    private static final int DETECTION_MOST = 5_000;
    private static final int RESTORATION_LEAST = 100;
    private static final int RESTORATION_MOST = 60_000;

    @Override
    public void check(Scene scene, Findings findings) {
        for (SwitchConfig config : scene.switches()) {
            for (SwitchPort port : config.pausing()) {
                if (port.watchdog.isEmpty()) {
                    findings.ofPort(
                            Code.VL501,
                            port.name,
                            ClassRule.pfcPlace(port),
                            "PFC without a row in PFC_WD",
                            List.of(
                                    ClassRule.pfcPlace(port)
                                            .says("pfc_enable " + ClassRule.pfcText(port))),
                            "Start the watchdog: pfcwd start --action drop … 200 --restoration-time"
                                    + " 200.");
                } else {
                    watchdog(config, port, port.watchdog.get(), findings);
                }
            }
        }
    }

    private static void watchdog(
            SwitchConfig config, SwitchPort port, Watchdog watchdog, Findings findings) {
        boolean detects = time(port, watchdog, true, findings);
        boolean restores = time(port, watchdog, false, findings);
        watchdog.action().ifPresent(action -> action(port, action, findings));
        if (detects && restores && config.watchdogPoll().isPresent()) {
            poll(port, watchdog, config.watchdogPoll().get(), findings);
        }
    }

    private static boolean time(
            SwitchPort port, Watchdog watchdog, boolean isDetection, Findings findings) {
        Optional<Figure> time = isDetection ? watchdog.detection() : watchdog.restoration();
        String name = isDetection ? "detection_time" : "restoration_time";
        int least = isDetection ? DETECTION_LEAST : RESTORATION_LEAST;
        int most = isDetection ? DETECTION_MOST : RESTORATION_MOST;
        if (time.isEmpty() && !isDetection) {
            return true;
        }
        if (time.isPresent() && time.get().value() >= least && time.get().value() <= most) {
            return true;
        }
        Place place = time.map(Figure::place).orElse(watchdog.place());
        String value = time.map(it -> it.value() + " ms").orElse("missing");
        findings.ofPort(
                Code.VL502,
                port.name,
                place,
                "%s is %s, and the switch takes %d to %d".formatted(name, value, least, most),
                List.of(place.says(name + " " + value)),
                "Set it to 200 or more.");
        return false;
    }

    private static void action(SwitchPort port, Setting action, Findings findings) {
        if (action.text().equals("drop") || action.text().equals("forward")) {
            return;
        }
        findings.ofPort(
                Code.VL504,
                port.name,
                action.place(),
                "action %s leaves the queue paused".formatted(Shown.word(action.text())),
                List.of(action.place().says("action " + Shown.word(action.text()))),
                "Use drop, which empties the queue, or forward.");
    }

    private static void poll(SwitchPort port, Watchdog watchdog, Figure poll, Findings findings) {
        long shortest =
                Math.min(
                        watchdog.detection().map(Figure::value).orElse(Long.MAX_VALUE),
                        watchdog.restoration().map(Figure::value).orElse(Long.MAX_VALUE));
        if (poll.value() > shortest) {
            findings.ofPort(
                    Code.VL503,
                    port.name,
                    poll.place(),
                    "looks each %d ms, and is to react within %d".formatted(poll.value(), shortest),
                    List.of(
                            poll.place().says("POLL_INTERVAL " + poll.value()),
                            watchdog.place().says("the shortest time is " + shortest)),
                    "Make POLL_INTERVAL at most the detection and restoration times.");
        }
    }
}
