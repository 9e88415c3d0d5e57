package org.railyard.socklnd.link;

/** What a device can do for an NI. */
public enum DeviceLinkState {
    /** It is up, has a carrier and holds the NI's address. */
    UP,
    /** Its link is down; device and address are there. Connections outlive that (spec 02 §11). */
    DOWN,
    /** The device, or the NI's address on it, is gone: connections can not go on. */
    GONE,
    /**
     * The system does not tell just now, for example because the process has no file descriptor left: nothing has
     * changed.
     */
    UNKNOWN
}
