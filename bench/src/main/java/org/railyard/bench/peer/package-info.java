/** The peers LNet is measured against: plain {@code java.nio}, JeroMQ, iperf3, sockperf; loopback only. */
@NullMarked
package org.railyard.bench.peer;

import org.jspecify.annotations.NullMarked;
