/** Simulated cards: devices, ports, and queue pairs with the reliable connection on messages or packets. */
@NullMarked
package org.railyard.softverbs.card;

import org.jspecify.annotations.NullMarked;
