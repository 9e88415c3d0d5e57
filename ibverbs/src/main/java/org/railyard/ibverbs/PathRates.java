package org.railyard.ibverbs;

/** Rates of path records by their codes. */
final class PathRates {
    private PathRates() {}

    /** Returns a rate in units of 0.1 Mb/s; 0 for a code that is not known. */
    static long of(int code) {
        return switch (code) {
            case 2 -> 25_000;
            case 3 -> 100_000;
            case 4 -> 300_000;
            case 5 -> 50_000;
            case 6 -> 200_000;
            case 7 -> 400_000;
            case 8 -> 600_000;
            case 9 -> 800_000;
            case 10 -> 1_200_000;
            case 11 -> 140_625;
            case 12 -> 562_500;
            case 13 -> 1_125_000;
            case 14 -> 1_687_500;
            case 15 -> 250_000;
            case 16 -> 1_000_000;
            case 17 -> 2_000_000;
            case 18 -> 3_000_000;
            case 19 -> 281_250;
            case 20 -> 500_000;
            case 21 -> 4_000_000;
            case 22 -> 6_000_000;
            case 23 -> 8_000_000;
            case 24 -> 12_000_000;
            default -> 0;
        };
    }
}
