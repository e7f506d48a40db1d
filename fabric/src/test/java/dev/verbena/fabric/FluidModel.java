package dev.verbena.fabric;

import dev.verbena.transport.carrier.CongestionSettings;

/// The fixed point of DCQCN's fluid model (Zhu et al., "ECN or Delay", CoNEXT 2016): flows share a
/// link, and each packet is marked with the same probability p.
///
/// With R the rate of a flow in packets a second, N the shortest time between notifications, K the
/// period of alpha, T the timer, B the byte counter in packets and F the stages of fast recovery:
///
/// ```text
///   cuts      c = 1 - (1 - p)^(N R)               a notification in N
///   alpha     a = 1 - (1 - p)^(K R)
///   steps up  d = e(B) + e(T R)                   e(n) = p / ((1 - p)^-n - 1)
///   of R_AI   s = (1 - p)^(F B) e(B) + (1 - p)^(F T R) e(T R)
///
///   target    (R_T - R) c / N = R_AI R s
///   rate      R a c / 2 N     = (R_T - R) R d / 2
/// ```
///
/// so that `a c^2 / N^2 = R_AI R s d`, which has one solution p.
///
/// @param wireBytes length of a packet on the link
/// @param packetBytes the part of it that rates and the byte counter count
record FluidModel(CongestionSettings settings, Rate link, int wireBytes, int packetBytes) {
    private static final int STEPS = 200;

    /// The rate of each flow, in packets a second.
    double share(int flows) {
        return link.bitsPerSecond() / 8.0 / wireBytes / flows;
    }

    /// The part of packets that is marked.
    double marks(int flows) {
        double rate = share(flows);
        double low = 1e-9;
        double high = 1 - 1e-9;
        for (int i = 0; i < STEPS; i++) {
            double middle = Math.sqrt(low * high);
            if (surplus(middle, rate) < 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The length of the queue at which so many are marked.
    double queueBytes(int flows, Marking marking) {
        double part = marks(flows) / marking.share();
        return marking.leastBytes() + part * (marking.mostBytes() - marking.leastBytes());
    }

    private double surplus(double p, double rate) {
        double noticeS = settings.notice().everyNs() / 1e9;
        double steps = settings.rise().everyNs() / 1e9 * rate;
        double bytes = (double) settings.rise().everyBytes() / packetBytes;
        int stages = settings.rise().stages();
        double cuts = 1 - Math.pow(1 - p, noticeS * rate);
        double alpha = 1 - Math.pow(1 - p, settings.alpha().everyNs() / 1e9 * rate);
        double rises = events(p, bytes) + events(p, steps);
        double additive =
                Math.pow(1 - p, stages * bytes) * events(p, bytes)
                        + Math.pow(1 - p, stages * steps) * events(p, steps);
        double step = settings.rise().step() / 8.0 / packetBytes;
        return alpha * cuts * cuts / (noticeS * noticeS) - step * rate * additive * rises;
    }

    /// Times that so many packets pass without a mark, for each packet.
    private static double events(double p, double packets) {
        return p / Math.expm1(-packets * Math.log1p(-p));
    }
}
