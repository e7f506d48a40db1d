package dev.verbena.transport;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// One way to attack a device: forges packets and says what must become of each.
///
/// @param family what it tries to get past
/// @param need what the side that it comes from must be able to do
record Attack(String family, String name, Consumer<AttackRun> strike, AttackPath.Need need) {
    Attack(String family, String name, Consumer<AttackRun> strike) {
        this(family, name, strike, AttackPath.Need.NOTHING);
    }

    Attack needing(AttackPath.Need other) {
        return new Attack(family, name, strike, other);
    }

    /// All there are, in the order of the report.
    static List<Attack> all() {
        return Stream.of(
                        KeyAttacks.all(),
                        BoundsAttacks.all(),
                        RightAttacks.all(),
                        AddressAttacks.all(),
                        SequenceAttacks.all(),
                        ResponseAttacks.all(),
                        SelectiveAttacks.all(),
                        SelectiveAnswerAttacks.all(),
                        OrderAttacks.all(),
                        LengthAttacks.all(),
                        ExhaustionAttacks.all(),
                        InvalidateAttacks.all(),
                        WindowAttacks.all(),
                        UnreliableAttacks.all(),
                        DatagramAttacks.all(),
                        SharedReceiveAttacks.all(),
                        ManagementAttacks.all())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String toString() {
        return family + ": " + name;
    }
}
