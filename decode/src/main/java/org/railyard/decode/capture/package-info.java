/**
 * Capture files, pcap and pcapng, taken apart into packets; knows nothing of what is in them.
 *
 * <p>Written here because no library fits: Pcap4J and jNetPcap read files through the native libpcap, pkts.io reads no
 * pcapng, and the other pure-Java readers are not on Maven Central or give up at the first damaged record, where this
 * one has to name the offset and go on.
 */
@NullMarked
package org.railyard.decode.capture;

import org.jspecify.annotations.NullMarked;
