package org.railyard.dlc;

/**
 * Something in a configuration that is not as it should be.
 *
 * @param place where
 * @param found what is there
 * @param expected what should be there
 * @param refused whether it is a node-wide setting that is understood and refused
 */
public record Problem(Place place, String found, String expected, boolean refused) {
    /** Makes one of something that is not understood. */
    public Problem(Place place, String found, String expected) {
        this(place, found, expected, false);
    }

    /** Returns it in one line. */
    @Override
    public String toString() {
        return place + ": found " + found + ", expected " + expected;
    }
}
