/** What the console tells of a run of the lab: nodes, messages, calls, faults and violations over virtual time. */
@NullMarked
package org.railyard.console.lab;

import org.jspecify.annotations.NullMarked;
