package org.railyard.softverbs.card;

/** What a card says to a message. */
enum Answer {
    /** It and all before it are there. */
    ACK,
    /** One before it is missing; those before that are there. */
    SEQUENCE_ERROR,
    /** Nothing is posted for it. */
    RECEIVER_NOT_READY,
    /** Its remote key or address is wrong. */
    ACCESS_ERROR,
    /** It could not be carried out. */
    OPERATION_ERROR
}
