/**
 * Who is who: local nets and NIs, peers found by any of their NIDs, which NID may belong to which peer, and what
 * announcements and configuration change about that (spec 11 §1, §4). Guarded by the stack's lock.
 */
@NullMarked
package org.railyard.lnet.peer;

import org.jspecify.annotations.NullMarked;
