package org.railyard.fabric.model;

/** Parts that do not make a fabric: two nodes with one GUID, overlapping LIDs, a port that does not exist. */
public final class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Makes the error; the message names the node and the port. */
    public FabricException(String message) {
        super(message);
    }
}
