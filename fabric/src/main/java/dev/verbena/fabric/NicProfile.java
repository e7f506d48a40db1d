package dev.verbena.fabric;

/// What an adapter adds to the fabric, beside the transport in it.
///
/// @param sendPs from a program's post until the adapter asks the transport for packets
/// @param receivePs from a packet's last bit until the transport has it
/// @param packetGapPs between the beginnings of two packets at least: what limits the message rate
/// @param acknowledgeNs how long an acknowledgement waits for others that it can stand for
public record NicProfile(long sendPs, long receivePs, long packetGapPs, long acknowledgeNs) {
    private static final long SECOND_PS = 1_000_000_000_000L;

    /// Takes no time: for closed forms.
    public static final NicProfile IDEAL = new NicProfile(0, 0, 0, 0);

    /// An adapter of 400 Gb/s that needs 300 ns on each side and makes 200 million packets a
    /// second; all of that is assumed, and to be replaced by who has measured his own.
    public static final NicProfile ADAPTER_400G = new NicProfile(300_000, 300_000, 5_000, 0);

    public NicProfile {
        long longest = Math.max(Math.max(sendPs, receivePs), packetGapPs);
        long least = Math.min(Math.min(sendPs, receivePs), Math.min(packetGapPs, acknowledgeNs));
        if (least < 0 || longest > SECOND_PS || acknowledgeNs > SECOND_PS / Clock.PS_PER_NS) {
            throw new IllegalArgumentException("times of an adapter: 0 to a second");
        }
    }
}
