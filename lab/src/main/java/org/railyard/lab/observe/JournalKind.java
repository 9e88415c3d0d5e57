package org.railyard.lab.observe;

/** Kinds of entries of a {@link Journal}. */
public enum JournalKind {
    /** A node starts. */
    START,
    /** A node ends. */
    END,
    /** Something begins to be broken, slow or cut. */
    FAULT,
    /** A fault is over. */
    REPAIR,
    /** A subnet manager has done something. */
    FABRIC,
    /** A device event. */
    DEVICE,
    /** A connection is there. */
    CONNECT,
    /** A connection is gone. */
    BREAK,
    /** A frame was lost. */
    LOST,
    /** A second copy of a frame was thrown away. */
    REPEAT,
    /** A stack hands a message to its LND. */
    SEND,
    /** The LND does not take it. */
    REFUSE,
    /** The LND gives a message back. */
    DONE,
    /** A header arrives. */
    ARRIVE,
    /** A header is not wanted. */
    UNWANTED,
    /** An application asks for something. */
    CALL,
    /** An application gets an event. */
    EVENT,
    /** A call has its outcome. */
    OUTCOME,
    /** A node's view of an NI's health differs from what it was. */
    HEALTH,
    /** The console of selftest does something, or hears of it. */
    SELFTEST,
    /** A checker found something. */
    VIOLATION
}
