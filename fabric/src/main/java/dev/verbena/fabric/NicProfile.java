package dev.verbena.fabric;

/// Delays and rates of a NIC, in addition to the transport.
///
/// @param sendPs time from a program's post until the NIC sees it, rounded up to nanoseconds; a NIC
///   that still has requests of the queue pair to send sees later ones meanwhile
/// @param receivePs time from a packet's last bit until the transport has the packet
/// @param packetGapPs least time between the starts of two packets, which limits the packet rate
/// @param acknowledgeNs time that an acknowledgement waits to be combined with later ones
public record NicProfile(long sendPs, long receivePs, long packetGapPs, long acknowledgeNs) {
    private static final long SECOND_PS = 1_000_000_000_000L;

    /// Adds no time; used for closed forms.
    public static final NicProfile IDEAL = new NicProfile(0, 0, 0, 0);

    /// A NIC of 400 Gb/s with 300 ns on each side and 200 million packets per second. All values
    /// are assumed; replace them by measured ones.
    public static final NicProfile ADAPTER_400G = new NicProfile(300_000, 300_000, 5_000, 0);

    public NicProfile {
        long longest = Math.max(Math.max(sendPs, receivePs), packetGapPs);
        long least = Math.min(Math.min(sendPs, receivePs), Math.min(packetGapPs, acknowledgeNs));
        if (least < 0 || longest > SECOND_PS || acknowledgeNs > SECOND_PS / Clock.PS_PER_NS) {
            throw new IllegalArgumentException("times of an adapter: 0 to a second");
        }
    }
}
