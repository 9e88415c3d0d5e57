/** What happens in a node, a card or a subnet manager as events of JDK Flight Recorder; see docs/jfr.md. */
@NullMarked
package org.railyard.host.jfr;

import org.jspecify.annotations.NullMarked;
