package org.railyard.dlc;

/**
 * Something in a configuration that is not as it should be.
 *
 * @param place where
 * @param found what is there
 * @param expected what should be there
 */
public record Problem(Place place, String found, String expected) {
    /** Returns it in one line. */
    @Override
    public String toString() {
        return place + ": found " + found + ", expected " + expected;
    }
}
