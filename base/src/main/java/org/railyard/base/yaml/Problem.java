package org.railyard.base.yaml;

/**
 * Something in a document that is not as it should be.
 *
 * @param place where
 * @param found what is there
 * @param expected what should be there
 * @param kind what kind of mistake it is
 */
public record Problem(Place place, String found, String expected, Kind kind) {
    /** Kinds of mistakes; the error of a whole document follows from them. */
    public enum Kind {
        /** Not understood. */
        ODD,
        /** A key, or the value of one, told in the words that scripts look for (spec 12 §5.1). */
        KEY,
        /** A node-wide setting that is understood and refused. */
        REFUSED,
        /** An interface that this machine does not have. */
        ABSENT
    }

    /** Makes one of something that is not understood. */
    public Problem(Place place, String found, String expected) {
        this(place, found, expected, Kind.ODD);
    }

    /** Returns it in one line. */
    @Override
    public String toString() {
        return kind == Kind.KEY
                ? found + ": " + place + ": expected " + expected
                : place + ": found " + found + ", expected " + expected;
    }
}
