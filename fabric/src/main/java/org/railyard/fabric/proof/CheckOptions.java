package org.railyard.fabric.proof;

/**
 * What is checked.
 *
 * @param switchPorts whether port 0 of switches counts as source and destination, beside CAs and routers
 * @param multicast whether multicast tables are checked together with unicast
 * @param hostChannels whether the channels between end ports and switches are part of the graph. They are on no cycle:
 *     it is for figures and complete certificates, and takes time with the square of the number of end ports
 */
public record CheckOptions(boolean switchPorts, boolean multicast, boolean hostChannels) {
    /** CAs and routers, unicast and multicast. */
    public static final CheckOptions DEFAULT = new CheckOptions(false, true, false);

    /** Returns these options with port 0 of switches counting or not. */
    public CheckOptions withSwitchPorts(boolean on) {
        return new CheckOptions(on, multicast, hostChannels);
    }

    /** Returns these options with multicast or without. */
    public CheckOptions withMulticast(boolean on) {
        return new CheckOptions(switchPorts, on, hostChannels);
    }

    /** Returns these options with channels of end ports or without. */
    public CheckOptions withHostChannels(boolean on) {
        return new CheckOptions(switchPorts, multicast, on);
    }
}
