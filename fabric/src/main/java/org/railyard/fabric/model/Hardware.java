package org.railyard.fabric.model;

/**
 * Who made a node.
 *
 * @param vendorId 24 bits
 * @param deviceId as NodeInfo tells it
 * @param revision as NodeInfo tells it
 */
public record Hardware(int vendorId, int deviceId, int revision) {
    /** Nothing is known. */
    public static final Hardware UNKNOWN = new Hardware(0, 0, 0);
}
