package org.railyard.verbs.card.cm;

import java.util.EnumSet;
import java.util.Set;

/** States of an end of a connection; {@link CardCmId} has the table of transitions. */
enum CmState {
    /** Nothing was asked of it yet. */
    IDLE,
    /** It takes requests. */
    LISTENING,
    /** It looks for the peer's address. */
    RESOLVING_ADDRESS,
    /** The address is known. */
    ADDRESS_RESOLVED,
    /** It asks for the path. */
    RESOLVING_ROUTE,
    /** The path is known. */
    ROUTE_RESOLVED,
    /** It has sent a REQ and waits for the REP. */
    REQ_SENT,
    /** A REQ came and is not answered. */
    REQ_RECEIVED,
    /** It has sent a REP and waits for the RTU. */
    REP_SENT,
    /** Both sides know that it is up. */
    ESTABLISHED,
    /** It has sent a DREQ and waits for the DREP. */
    DREQ_SENT,
    /** Nothing more can be done with it. */
    ENDED;

    /** Returns the states that may follow. */
    Set<CmState> next() {
        return switch (this) {
            case IDLE -> EnumSet.of(LISTENING, RESOLVING_ADDRESS, REQ_RECEIVED);
            case RESOLVING_ADDRESS -> EnumSet.of(ADDRESS_RESOLVED, ENDED);
            case ADDRESS_RESOLVED -> EnumSet.of(RESOLVING_ROUTE);
            case RESOLVING_ROUTE -> EnumSet.of(ROUTE_RESOLVED, ENDED);
            case ROUTE_RESOLVED -> EnumSet.of(REQ_SENT);
            case REQ_SENT -> EnumSet.of(ESTABLISHED, ENDED);
            case REQ_RECEIVED -> EnumSet.of(REP_SENT, ENDED);
            case REP_SENT -> EnumSet.of(ESTABLISHED, DREQ_SENT, ENDED);
            case ESTABLISHED -> EnumSet.of(DREQ_SENT, ENDED);
            case DREQ_SENT -> EnumSet.of(ENDED);
            case LISTENING, ENDED -> EnumSet.noneOf(CmState.class);
        };
    }
}
