/**
 * What cards made of software have in common: memory regions and their keys, DMA addresses, completion queues,
 * addresses that are bound. Belongs to providers; users of verbs see only the contract.
 */
@NullMarked
package org.railyard.verbs.card;

import org.jspecify.annotations.NullMarked;
