/** Tests of the connection manager of cards made of software. */
@NullMarked
package org.railyard.verbs.card.cm;

import org.jspecify.annotations.NullMarked;
