/**
 * How MADs travel: the contract of transports with one loop for all callbacks, and the window of requests that waits
 * for answers, asks again and gives up. Sans-I/O.
 */
@NullMarked
package org.railyard.mad.transport;

import org.jspecify.annotations.NullMarked;
