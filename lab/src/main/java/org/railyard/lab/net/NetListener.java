package org.railyard.lab.net;

import org.railyard.lnet.nid.Nid;

/** Is told what happens to connections and frames; must not change anything. */
public interface NetListener {
    /** A connection was established. */
    default void connected(SimMachine machine, Nid from, Nid to) {}

    /** A connection broke, or could not be established. */
    default void broken(SimMachine machine, Nid from, Nid to, BreakCause cause) {}

    /** A frame was lost. */
    default void lost(Nid from, Nid to) {}

    /** A second copy of a frame was recognised and thrown away. */
    default void duplicate(Nid from, Nid to) {}
}
