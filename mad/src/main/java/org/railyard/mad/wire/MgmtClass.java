package org.railyard.mad.wire;

/** Management classes and their versions (spec 40 §1). */
public final class MgmtClass {
    /** SMPs that travel by LID. */
    public static final int SMP_LID = 0x01;

    /** SMPs that travel by a directed route. */
    public static final int SMP_DIRECTED = 0x81;

    /** Subnet administration. */
    public static final int SA = 0x03;

    /** Performance management. */
    public static final int PERFORMANCE = 0x04;

    /** Class version of SMPs and performance management. */
    public static final int VERSION = 1;

    /** Class version of subnet administration. */
    public static final int SA_VERSION = 2;

    private MgmtClass() {}

    /** Tells whether MADs of a class are SMPs: they go to QP 0. */
    public static boolean isSmp(int mgmtClass) {
        return mgmtClass == SMP_LID || mgmtClass == SMP_DIRECTED;
    }

    /** Returns the name of a class. */
    public static String text(int mgmtClass) {
        return switch (mgmtClass) {
            case SMP_LID -> "SMP-L";
            case SMP_DIRECTED -> "SMP-D";
            case SA -> "SA";
            case PERFORMANCE -> "Perf";
            default -> "class 0x%02x".formatted(mgmtClass);
        };
    }
}
