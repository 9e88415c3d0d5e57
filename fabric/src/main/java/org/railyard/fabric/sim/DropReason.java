package org.railyard.fabric.sim;

/** Why a packet did not arrive. */
public enum DropReason {
    /** The table of a switch has no entry for the LID, or one that leads nowhere. */
    NO_ROUTE("no route"),
    /** SL to VL says VL 15. */
    VL_15("VL 15"),
    /** Its link went down, or was down when it was to be sent. */
    LINK_DOWN("link down"),
    /** It came to an end port that does not have the LID. */
    WRONG_END("wrong end port"),
    /** It was at the head of a queue for longer than packets may be. */
    LIFETIME("lifetime"),
    /** It passed more switches than there are on any way: tables lead round in a circle. */
    ROUND("forwarding loop"),
    /** No number was left for another copy of it. */
    NO_ROOM("too many copies");

    private final String text;

    DropReason(String text) {
        this.text = text;
    }

    /** Returns it as people say it. */
    public String text() {
        return text;
    }
}
