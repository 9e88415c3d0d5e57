/** Tests of the memory of cards made of software. */
@NullMarked
package org.railyard.verbs.card.memory;

import org.jspecify.annotations.NullMarked;
