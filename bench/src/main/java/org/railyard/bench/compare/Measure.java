package org.railyard.bench.compare;

/** What is measured; contenders of one measure are compared with each other and with nobody else. */
public enum Measure {
    /** Time from sending 64 bytes until the answer is there; one exchange at a time. */
    ROUND_TRIP("latency", "Round trip of 64 bytes", "µs", false),

    /** Messages of 64 bytes in one direction, as many under way as the contender allows. */
    MESSAGE_RATE("rate", "Messages of 64 bytes in one direction", "1/s", true),

    /** Blocks of 1 MiB in one direction over one rail, that is one connection. */
    BANDWIDTH_1_RAIL("bandwidth1", "Blocks of 1 MiB in one direction, 1 rail", "MiB/s", true),

    /** Blocks of 1 MiB in one direction over two rails, that is two connections. */
    BANDWIDTH_2_RAILS("bandwidth2", "Blocks of 1 MiB in one direction, 2 rails", "MiB/s", true),

    /** Blocks of 1 MiB in one direction through a router on the same machine: each byte crosses twice. */
    ROUTED("routed", "Blocks of 1 MiB in one direction through a router", "MiB/s", true),
    /** Messages of 64 bytes in one direction over InfiniBand on UDP. */
    O2IB_RATE("o2ib-rate", "Messages of 64 bytes in one direction, o2ib over RoCEv2", "1/s", true),
    /** Blocks of 1 MiB in one direction over InfiniBand on UDP. */
    O2IB_BANDWIDTH("o2ib-bandwidth", "Blocks of 1 MiB in one direction, o2ib over RoCEv2", "MiB/s", true);

    /** Bytes of a small message and of its answer. */
    public static final int MESSAGE_BYTES = 64;

    /** After so many small messages a contender looks at the clock. */
    public static final int MESSAGES_PER_LOOK = 16;

    /** Bytes of a block. */
    public static final int BLOCK_BYTES = 1 << 20;

    private final String key;
    private final String title;
    private final String unit;
    private final boolean higherIsBetter;

    Measure(String key, String title, String unit, boolean higherIsBetter) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /** Returns the word for it on the command line and in JSON. */
    public String key() {
        return key;
    }

    /** Returns the heading of its table. */
    public String title() {
        return title;
    }

    /** Returns the unit of {@link Sample#value()}. */
    public String unit() {
        return unit;
    }

    /** Tells whether a higher value is a better one. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }
}
