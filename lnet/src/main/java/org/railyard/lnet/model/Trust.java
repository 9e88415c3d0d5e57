package org.railyard.lnet.model;

/** How much speaks for it that there is such a peer: anybody can make up NIDs. It only grows. */
public enum Trust {
    /** Its NID was read somewhere, or asked for. */
    NAMED,

    /** Something came from it. */
    HEARD,

    /** It answered something that this node sent. */
    ANSWERED
}
