package dev.verbena.interop;

import dev.verbena.wire.Dcbx;
import dev.verbena.wire.FlowControl;
import dev.verbena.wire.Pause;
import dev.verbena.wire.Pfc;
import java.util.List;

/// The fields of link control under tshark's names: flow control, pause, PFC, DCBX.
final class ControlFields {
    private static final String IEEE = "lldp.dcbx.ieee.";
    private static final String FEATURE = "lldp.dcbx.feature.";

    private ControlFields() {}

    static Expect flowControl(FlowControl flow, int storedCrc) {
        return new Expect()
                .number("infiniband_link.op", flow.operation())
                .number("infiniband_link.fctbs", flow.totalSent())
                .number("infiniband_link.vl", flow.virtualLane())
                .number("infiniband_link.fccl", flow.creditLimit())
                .number("infiniband_link.lpcrc", storedCrc);
    }

    static void pause(Expect expect, Pause pause) {
        expect.number("macc.opcode", Pause.OPCODE);
        expect.number("macc.pause_time", pause.quanta());
    }

    static void pfc(Expect expect, Pfc pfc) {
        expect.number("macc.opcode", Pfc.OPCODE);
        expect.number("macc.cbfc.enbv", pfc.enabled());
        for (int priority = 0; priority < Pfc.PRIORITIES; priority++) {
            expect.flag("macc.cbfc.enbv.c" + priority, pfc.isEnabled(priority));
            expect.number("macc.cbfc.pause_time.c" + priority, pfc.quanta(priority));
        }
    }

    static void dcbx(Expect expect, List<Dcbx> announced) {
        for (Dcbx dcbx : announced) {
            switch (dcbx) {
                case Dcbx.EtsConfiguration(
                                boolean willing,
                                boolean creditBased,
                                int maxClasses,
                                Dcbx.Ets ets) -> {
                    expect.flag(IEEE + "willing", willing);
                    expect.flag(IEEE + "ets.cbs", creditBased);
                    expect.number(IEEE + "ets.maxtcs", maxClasses);
                    ets(expect, ets);
                }
                case Dcbx.EtsRecommendation(Dcbx.Ets ets) -> ets(expect, ets);
                case Dcbx.PfcConfiguration(
                                boolean willing,
                                boolean bypass,
                                int capability,
                                int enabled) -> {
                    expect.flag(IEEE + "willing", willing);
                    expect.flag(IEEE + "pfc.mbc", bypass);
                    expect.number(IEEE + "pfc.numtcs", capability);
                    for (int i = 0; i < Pfc.PRIORITIES; i++) {
                        expect.flag(FEATURE + "pfc.prio" + i, ((enabled >> i) & 1) != 0);
                    }
                }
                case Dcbx.ApplicationPriority(List<Dcbx.Application> applications) ->
                        applications.forEach(application -> application(expect, application));
            }
        }
    }

    private static void ets(Expect expect, Dcbx.Ets ets) {
        for (int i = 0; i < Pfc.PRIORITIES; i++) {
            expect.number(FEATURE + "pg.pgid_prio" + i, ets.classes().get(i));
            expect.number(FEATURE + "pg.per" + i, ets.percents().get(i));
            expect.number(IEEE + "ets.tsa" + i, ets.algorithms().get(i));
        }
    }

    private static void application(Expect expect, Dcbx.Application application) {
        expect.number(IEEE + "app.prio", application.priority());
        // The missing letter is tshark's.
        expect.number("lldp.dcbx.iee.app.sf", application.selector());
        expect.number(FEATURE + "app.proto", application.protocol());
    }
}
