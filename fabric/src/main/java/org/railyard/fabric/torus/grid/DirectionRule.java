package org.railyard.fabric.torus.grid;

/** Which way to go first in an open dimension (spec 30 §4). In closed dimensions both rules are the same. */
public enum DirectionRule {
    /** The ring formula everywhere, as OpenSM does: next to a hole a path may run to the far edge first. */
    RING,
    /** Straight towards the target in open dimensions: never longer, and multicast stays loop free beside it. */
    MESH_AWARE
}
