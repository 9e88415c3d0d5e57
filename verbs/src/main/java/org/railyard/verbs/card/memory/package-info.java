/** The memory of software cards: protection domains, regions and their keys, DMA addresses. */
@NullMarked
package org.railyard.verbs.card.memory;

import org.jspecify.annotations.NullMarked;
