package org.railyard.fabric.proof;

/** The numbers of a certificate, to be looked up often. Immutable. */
final class CertificateNumbers {
    private static final int VLS = 16;

    /** By port index: VLs of the channels that the certificate has, and above them the index of the first. */
    private final long[] channels;
    /** By channel of the certificate. */
    private final int[] numbers;

    CertificateNumbers(int portCount, Certificate certificate) {
        channels = new long[portCount];
        numbers = new int[certificate.size()];
        for (int i = 0; i < numbers.length; i++) {
            Channel channel = certificate.channel(i);
            long old = channels[channel.port()];
            channels[channel.port()] = (old == 0 ? (long) i << VLS : old) | 1L << channel.vl();
            numbers[i] = certificate.number(channel.port(), channel.vl());
        }
    }

    /** Returns how many channels have a number. */
    int size() {
        return numbers.length;
    }

    /** Returns the number of a channel, or {@link Certificate#NONE}. */
    int of(int port, int vl) {
        int at = place(port, vl);
        return at == Certificate.NONE ? Certificate.NONE : numbers[at];
    }

    /** Returns which channel of the certificate it is, or {@link Certificate#NONE} if it has no number. */
    int place(int port, int vl) {
        long of = channels[port];
        return (of >>> vl & 1) == 0 ? Certificate.NONE : (int) (of >>> VLS) + Long.bitCount(of & (1L << vl) - 1);
    }
}
