package org.railyard.verbs;

import java.util.Map;

/** A kind of network cards that a program can be told to use by name. Found through {@code ServiceLoader}. */
public interface VerbsService {
    /** Returns the name that it is asked for by, for example {@code roce}. */
    String name();

    /**
     * Opens the cards of this machine.
     *
     * @param options what the kind of cards takes, by name; it refuses what it does not know
     * @throws VerbsException ENODEV if there are none, EINVAL if an option can not be used
     */
    VerbsProvider open(Map<String, String> options);
}
