/** The connection manager of software cards: the state machine of a connection, address look-up, retransmission. */
@NullMarked
package org.railyard.verbs.card.cm;

import org.jspecify.annotations.NullMarked;
