/** What software cards have in common: devices, queue pairs with their queues of requests, completion queues. */
@NullMarked
package org.railyard.verbs.card;

import org.jspecify.annotations.NullMarked;
