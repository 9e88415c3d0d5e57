package org.railyard.socklnd.link;

/** What a device can do for an NI. */
public enum DeviceLinkState {
    /** It is up, has a carrier and holds the NI's address. */
    UP,
    /**
     * Its link is down, or it does not have the NI's address just now, as while the network is configured anew.
     * Connections outlive that (spec 02 §11): the kernel keeps them, and goes on with them when the address is back.
     */
    DOWN,
    /** The device is gone: connections can not go on. */
    GONE,
    /**
     * The system does not tell just now, for example because the process has no file descriptor left: nothing has
     * changed.
     */
    UNKNOWN
}
