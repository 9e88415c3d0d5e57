
-- Below here nothing is generated: how structures follow one another. C holds constants, N the names of numbers, S the
-- structures, each field with its place, length and kind:
--   number  little-endian, or as the sender's magic shows      big     always big-endian
--   nid4    a NID of eight bytes, in the sender's order         nid20   a NID of twenty bytes, never swapped
--   bytes   taken apart elsewhere                               struct  a structure inside, taken apart elsewhere

local rylnet = Proto("rylnet", "LNet (Railyard)")

local flaw = ProtoExpert.new("rylnet.flaw", "Not as LNet has it", expert.group.MALFORMED, expert.severity.ERROR)
local unknown = ProtoExpert.new("rylnet.unknown", "No frame of LNet starts here", expert.group.UNDECODED,
    expert.severity.WARN)
rylnet.experts = {flaw, unknown}

local NAMES_OF = {
  ["hello.type"] = N.message_type, ["hello.ctype"] = N.connection_type, ["frame.type"] = N.frame_type,
  ["message.type"] = N.message_type, ["ping.entry.status"] = N.status, ["kib.type"] = N.kib_type,
  ["kib.reject.why"] = N.reject_reason,
}
local HEX = {magic = true, csum = true, cksum = true, match_bits = true, hdr_data = true, features = true, head = true,
  interface_cookie = true, object_cookie = true, cookie = true, src_cookie = true, dst_cookie = true, key = true,
  addr = true, marker = true, status = true}
-- Cookies of o2iblnd stand as their owner wrote them, whatever order the message is in (spec 20 §3.2).
local NEVER_SWAPPED = {["kib.cookie"] = true, ["kib.src_cookie"] = true, ["kib.dst_cookie"] = true}

local F = {}
local declared = {}

local function declare(key, make)
  if not F[key] then
    F[key] = make("rylnet." .. key, key:match("[^.]*$"))
    declared[#declared + 1] = F[key]
  end
end

local NUMBERS = {[1] = ProtoField.uint8, [2] = ProtoField.uint16, [4] = ProtoField.uint32, [8] = ProtoField.uint64}

for _, structure in pairs(S) do
  structure.at = {}
  for _, field in ipairs(structure.fields) do
    structure.at[field.name] = field.at
    field.key = structure.filter .. "." .. field.name
    local values = NAMES_OF[field.key]
    if field.kind == "nid4" or field.kind == "nid20" then
      declare(field.key, ProtoField.string)
    elseif field.key == "kib.status" then
      declare(field.key, ProtoField.int32)
    elseif field.kind == "number" or field.kind == "big" then
      local shown = HEX[field.name] and base.HEX or base.DEC
      declare(field.key, function(abbreviation, name)
        return NUMBERS[field.bytes](abbreviation, name, shown, values)
      end)
    end
  end
end
declare("hello.ip", ProtoField.string)
declare("ping.sequence", ProtoField.uint32)
declare("ping.bytes", ProtoField.uint32)
declare("ping.entry.nid", ProtoField.string)
declare("kib.addresses.ip", ProtoField.string)
declare("payload", ProtoField.bytes)
rylnet.fields = declared

-- What each sender in a TCP stream speaks, {version =, big =}, by stream and the port it sends from: HELLOs tell it.
local senders = {}
local tcp_stream = Field.new("tcp.stream")
local tcp_srcport = Field.new("tcp.srcport")

function rylnet.init()
  senders = {}
end

local function u32(tvb, at, big)
  local range = tvb(at, 4)
  return big and range:uint() or range:le_uint()
end

-- Returns whether a magic stands there, and whether in big-endian order.
local function has_magic(tvb, at, magic)
  if tvb(at, 4):le_uint() == magic then return true, false end
  if tvb(at, 4):uint() == magic then return true, true end
  return false, false
end

-- ---- NIDs, as the railyard commands write them ----

local function words(bytes)
  local out = {}
  for i, byte in ipairs(bytes) do
    out[#out + 1] = (i > 1 and i % 4 == 1 and ":" or "") .. string.format("%02x", byte)
  end
  return table.concat(out)
end

-- Writes an IPv6 address as RFC 5952 asks.
local function ipv6(bytes)
  local groups = {}
  for i = 1, 8 do groups[i] = bytes[2 * i - 1] * 256 + bytes[2 * i] end
  local from, length, i = 0, 1, 1
  while i <= 8 do
    local j = i
    while j <= 8 and groups[j] == 0 do j = j + 1 end
    if j - i > length then from, length = i, j - i end
    i = math.max(i + 1, j)
  end
  local out = ""
  i = 1
  while i <= 8 do
    if i == from then
      out = out .. "::"
      i = i + length
    else
      out = out .. ((out ~= "" and out:sub(-1) ~= ":") and ":" or "") .. string.format("%x", groups[i])
      i = i + 1
    end
  end
  return out
end

local function nid_text(net_type, number, bytes)
  local net = N.net[net_type]
  net = net and net .. (number > 0 and number or "") or string.format("<%d:%d>", net_type, number)
  local form = N.address_form[net_type]
  local address
  if form == "NUMBER" and #bytes == 4 then
    address = string.format("%.0f", ((bytes[1] * 256 + bytes[2]) * 256 + bytes[3]) * 256 + bytes[4])
  elseif form and form ~= "NUMBER" and #bytes == 4 then
    address = table.concat(bytes, ".")
  elseif form and form ~= "NUMBER" and #bytes == 16 then
    address = ipv6(bytes)
  else
    address = words(bytes)
  end
  return address .. "@" .. net
end

local function bytes_of(tvb, at, count)
  local out = {}
  for i = 1, count do out[i] = tvb(at + i - 1, 1):uint() end
  return out
end

local function nid4(tvb, at, big)
  local b = bytes_of(tvb, at, 8)
  if not big then b = {b[8], b[7], b[6], b[5], b[4], b[3], b[2], b[1]} end
  local any = true
  for i = 1, 8 do any = any and b[i] == 255 end
  if any then return C.ANY_NID end
  return nid_text(b[2], b[3] * 256 + b[4], {b[5], b[6], b[7], b[8]})
end

-- Returns the text of a NID whose size, type and number stand at one place, the address at another; or what is wrong.
local function large_nid(tvb, head, address)
  local size, net_type = tvb(head, 1):uint(), tvb(head + 1, 1):uint()
  if net_type == 255 then return C.ANY_NID end
  if size > C.MAX_NID_SIZE then
    return nil, "NID size field is " .. size .. ", the limit is " .. C.MAX_NID_SIZE
  end
  return nid_text(net_type, tvb(head + 2, 2):uint(), bytes_of(tvb, address, size + 4))
end

-- ---- structures to trees ----

local function complain(tree, expert_info, text)
  tree:add_proto_expert_info(expert_info, text)
end

-- Shows the fields of a structure; "only" shows some. Returns whether all its bytes are there.
local function show(tree, tvb, at, structure, big, only)
  for _, field in ipairs(structure.fields) do
    if at + field.at + field.bytes > tvb:len() then
      complain(tree, flaw, structure.filter .. " is cut short: " .. math.max(0, tvb:len() - at) .. " bytes found, "
          .. structure.bytes .. " expected")
      return false
    end
    local range = tvb(at + field.at, field.bytes)
    if only and not only[field.name] then
      range = nil
    elseif field.kind == "nid4" then
      tree:add(F[field.key], range, nid4(tvb, at + field.at, big))
    elseif field.kind == "nid20" then
      local text, wrong = large_nid(tvb, at + field.at, at + field.at + 4)
      if text then tree:add(F[field.key], range, text) else complain(tree, flaw, wrong) end
    elseif field.kind == "big" or (field.kind == "number" and big and not NEVER_SWAPPED[field.key]) then
      tree:add(F[field.key], range)
    elseif field.kind == "number" then
      tree:add_le(F[field.key], range)
    end
  end
  return true
end

local function branch(tree, tvb, at, bytes, text)
  if at >= tvb:len() then return tree:add(text) end
  return tree:add(tvb(at, math.min(bytes, tvb:len() - at)), text)
end

-- ---- LNet: header, ping info, payload ----

local HANDLE = {interface_cookie = true, object_cookie = true}

local function ping_entries(tree, tvb, at, finish, big, count, features)
  local entry = S.ping_entry
  for i = 2, count do
    if at + entry.bytes > finish then
      complain(tree, flaw, "ping info is cut short in entry " .. i .. " of " .. count)
      return
    end
    local sub = branch(tree, tvb, at, entry.bytes, "NI " .. nid4(tvb, at + entry.at.nid, big))
    show(sub, tvb, at, entry, big, {nid = true, status = true})
    at = at + entry.bytes
  end
  local large = S.ping_large_entry
  while bit32.band(features, C.PING_LARGE_ADDR) ~= 0 and at + large.bytes <= finish do
    local size = tvb(at + large.at.head, 1):uint()
    local length = math.floor((large.bytes + 4 + size + 3) / 4) * 4
    if at + length > finish then
      complain(tree, flaw, "ping info is cut short in a large entry")
      return
    end
    local text, wrong = large_nid(tvb, at + large.at.head, at + large.bytes)
    local sub = branch(tree, tvb, at, length, "NI " .. (text or "?"))
    if text then
      sub:add(F["ping.entry.nid"], tvb(at + large.at.head, length - large.at.head), text)
    else
      complain(sub, flaw, wrong)
    end
    show(sub, tvb, at, large, big, {status = true})
    at = at + length
  end
end

local function ping_info(tree, tvb, at, length)
  local finish = math.min(at + length, tvb:len())
  local sub = branch(tree, tvb, at, length, "Ping info")
  local found, big = has_magic(tvb, at, C.MAGIC_PING)
  if not found then
    complain(sub, flaw, string.format("ping info magic is 0x%08x, expected 0x%08x", u32(tvb, at), C.MAGIC_PING))
    return
  end
  if finish - at < S.ping.bytes + S.ping_entry.bytes then
    complain(sub, flaw, "ping info of " .. finish - at .. " bytes, expected at least "
        .. S.ping.bytes + S.ping_entry.bytes)
    return
  end
  show(sub, tvb, at, S.ping, big)
  local count = u32(tvb, at + S.ping.at.nnis, big)
  local features = u32(tvb, at + S.ping.at.features, big)
  if count < 1 or count > C.MAX_INTERFACES then
    complain(sub, flaw, "ping info has " .. string.format("%.0f", count) .. " interfaces, expected 1 to "
        .. C.MAX_INTERFACES)
    return
  end
  -- The first entry is the loopback NID's: its status is the sequence number, and it says how long the whole is.
  local first = at + S.ping.bytes
  local sequence, bytes = tvb(first + S.ping_entry.at.status, 4), tvb(first + S.ping_entry.at.msg_size, 4)
  if big then
    sub:add(F["ping.sequence"], sequence)
  else
    sub:add_le(F["ping.sequence"], sequence)
  end
  if bit32.band(features, C.PING_LARGE_ADDR) ~= 0 then
    local announced = u32(tvb, first + S.ping_entry.at.msg_size, big)
    sub:add(F["ping.bytes"], bytes, announced)
    finish = math.min(finish, at + math.max(announced, S.ping.bytes + S.ping_entry.bytes * count))
  else
    finish = math.min(finish, at + S.ping.bytes + S.ping_entry.bytes * count)
  end
  ping_entries(sub, tvb, first + S.ping_entry.bytes, finish, big, count, features)
end

-- Tells whether a payload is a ping info: a REPLY by its first word, a PUT by where it goes to.
local function is_ping(tvb, at, length, kind, body)
  if length < 4 then return false end
  if kind == "REPLY" then return (has_magic(tvb, at, C.MAGIC_PING)) end
  return kind == "PUT" and u32(tvb, body + S.put.at.ptl_index) == C.PING_PORTAL
      and tvb(body + S.put.at.match_bits, 8):le_uint64() == C.PING_MATCH_BITS
end

-- Shows an LNet header with its body; returns what it is and how much payload follows, or nothing.
local function header(tree, tvb, at, large)
  local structure = large and S.header_large or S.header_nid4
  if not show(tree, tvb, at, structure, false) then return nil end
  local number = u32(tvb, at + structure.at.type)
  local kind = N.message_type[number]
  local body = at + structure.at.body
  if kind == "ACK" then show(tree, tvb, body, S.ack, false)
  elseif kind == "PUT" then show(tree, tvb, body, S.put, false)
  elseif kind == "GET" then show(tree, tvb, body, S.get, false)
  elseif kind == "REPLY" then show(tree, tvb, body, S.ack, false, HANDLE)
  else
    complain(tree, flaw, "LNet message type is " .. string.format("%.0f", number)
        .. ", expected 0 ACK, 1 PUT, 2 GET or 3 REPLY")
    return nil
  end
  local nid = function(field)
    if large then return large_nid(tvb, at + structure.at[field], at + structure.at[field] + 4) or "?" end
    return nid4(tvb, at + structure.at[field], false)
  end
  local text = kind .. " " .. nid("src_nid") .. " → " .. nid("dest_nid")
  if kind == "PUT" or kind == "GET" then
    text = text .. " portal " .. string.format("%.0f", u32(tvb, body + S[kind:lower()].at.ptl_index))
  end
  tree:append_text(": " .. text)
  return kind, text, u32(tvb, at + structure.at.payload_length), body
end

local function message(tree, tvb, at, large)
  local bytes = large and S.header_large.bytes or S.header_nid4.bytes
  local sub = branch(tree, tvb, at, bytes, "LNet message")
  local kind, text, length, body = header(sub, tvb, at, large)
  if not kind then return nil end
  local start = at + bytes
  local here = math.min(length, tvb:len() - start)
  if here > 0 then
    if is_ping(tvb, start, here, kind, body) then
      ping_info(tree, tvb, start, here)
    else
      tree:add(F["payload"], tvb(start, here))
    end
  end
  if here < length then
    complain(tree, flaw, string.format("payload is cut short: %.0f bytes found, %.0f expected", here, length))
  end
  return text .. (length > 0 and string.format(" %.0f bytes", length) or "")
end

-- ---- socklnd ----

-- Each of these tells how long the structure at a place is: a number; nil and the least number of bytes that tell more;
-- or nil, nil and what is wrong.

local function hello_bytes(tvb, at, left, state)
  if left < 8 then return nil, 8 end
  local found, big = has_magic(tvb, at, C.MAGIC_LNET)
  local first = not found and has_magic(tvb, at, C.MAGIC_TCP)
  if not found and not first then return nil, nil, "no hello" end
  local version = u32(tvb, at + S.hello_v2.at.version, big)
  if (version == 1) ~= first or version < 1 or version > 4 then
    return nil, nil, "hello has version " .. string.format("%.0f", version)
        .. ", expected 1 with its own magic, or 2, 3 or 4"
  end
  local structure = first and S.hello_v1 or version == 4 and S.hello_v4 or S.hello_v2
  if left < structure.bytes then return nil, structure.bytes end
  local ips = first and u32(tvb, at + structure.at.payload_length) / 4 or u32(tvb, at + structure.at.nips, big)
  if ips > (version == 4 and 0 or C.MAX_IPS) or ips ~= math.floor(ips) then
    return nil, nil, string.format("hello lists %.2f addresses", ips)
  end
  state.version, state.big = version, big
  return structure.bytes + ips * 4
end

local function request_bytes(tvb, at, left)
  if left < 8 then return nil, 8 end
  local _, big = has_magic(tvb, at, C.MAGIC_ACCEPTOR)
  local version = u32(tvb, at + S.request_v1.at.version, big)
  if version ~= 1 and version ~= 2 then
    return nil, nil, "connection request has version " .. string.format("%.0f", version) .. ", expected 1 or 2"
  end
  return version == 1 and S.request_v1.bytes or S.request_v2.bytes
end

-- Tells whether bytes look like an LNet header: what a capture that starts in the middle is recognised by.
local function looks_like_header(tvb, at, large)
  local structure = large and S.header_large or S.header_nid4
  if at + structure.bytes > tvb:len() then return false end
  local kind = u32(tvb, at + structure.at.type)
  local length = u32(tvb, at + structure.at.payload_length)
  local carries = kind == 1 or kind == 3
  return kind <= 3 and length <= (carries and C.MTU or 0)
      and (u32(tvb, at + structure.at.src_pid) == C.LUSTRE_PID or u32(tvb, at + structure.at.dest_pid) == C.LUSTRE_PID)
end

local function guess(tvb, at)
  local kind = u32(tvb, at)
  if kind == C.NOOP then return 3 end
  if kind == C.LNET and looks_like_header(tvb, at + S.frame.bytes, false) then return 3 end
  if kind == C.LNET and looks_like_header(tvb, at + S.frame.bytes, true) then return 4 end
  if looks_like_header(tvb, at, false) then return 1 end
  return nil
end

local function frame_bytes(tvb, at, left, state)
  local version = state.version or guess(tvb, at)
  if not version then return nil, nil, "" end
  local start = at
  if version > 1 then
    local kind = u32(tvb, at, state.big)
    if kind ~= C.NOOP and kind ~= C.LNET then return nil, nil, "" end
    if left < S.frame.bytes then return nil, S.frame.bytes end
    if kind == C.NOOP then return S.frame.bytes, nil, nil, version end
    start = at + S.frame.bytes
  end
  local structure = version == 4 and S.header_large or S.header_nid4
  local head = start - at + structure.bytes
  if left < head then return nil, head end
  local length = u32(tvb, start + structure.at.payload_length)
  if length > C.MTU then
    return nil, nil, string.format("a message says that %.0f bytes of payload follow, expected up to %d", length, C.MTU)
  end
  return head + length, nil, nil, version
end

local function show_request(tree, tvb, at, bytes)
  local _, big = has_magic(tvb, at, C.MAGIC_ACCEPTOR)
  local sub = branch(tree, tvb, at, bytes, "Connection request")
  if bytes == S.request_v1.bytes then
    if not show(sub, tvb, at, S.request_v1, big) then return nil end
    if tvb(at + S.request_v1.at.nid, 8):le_uint64() == UInt64(0) then return "refused" end
    return "connect to " .. nid4(tvb, at + S.request_v1.at.nid, big)
  end
  if not show(sub, tvb, at, S.request_v2, big) then return nil end
  return "connect to " .. (large_nid(tvb, at + S.request_v2.at.nid, at + S.request_v2.at.nid + 4) or "?")
end

local function show_hello(tree, tvb, at, bytes, state)
  local structure = state.version == 1 and S.hello_v1 or state.version == 4 and S.hello_v4 or S.hello_v2
  local sub = branch(tree, tvb, at, bytes, "Hello")
  if not show(sub, tvb, at, structure, state.big) then return nil end
  for ip = at + structure.bytes, math.min(at + bytes, tvb:len()) - 4, 4 do
    local b = bytes_of(tvb, ip, 4)
    if not state.big then b = {b[4], b[3], b[2], b[1]} end
    sub:add(F["hello.ip"], tvb(ip, 4), table.concat(b, "."))
  end
  local ctype = u32(tvb, at + structure.at.ctype, state.big)
  return "HELLO v" .. state.version .. " " .. (N.connection_type[ctype] or string.format("type %.0f", ctype))
end

local function show_frame(tree, tvb, at, state, version)
  local start = at
  if version > 1 then
    local sub = branch(tree, tvb, at, S.frame.bytes, "Frame")
    show(sub, tvb, at, S.frame, state.big)
    if u32(tvb, at, state.big) == C.NOOP then return "NOOP" end
    start = at + S.frame.bytes
  end
  return message(tree, tvb, start, version == 4)
end

-- Finds out what starts at a place. Returns its length, or what is missing, or what is wrong, as above; then how to
-- show it.
local function next_structure(tvb, at, left, state)
  if left < 4 then return nil, 4 end
  if has_magic(tvb, at, C.MAGIC_ACCEPTOR) then
    local bytes, more, wrong = request_bytes(tvb, at, left)
    return bytes, more, wrong, function(tree) return show_request(tree, tvb, at, bytes) end
  end
  local bytes, more, wrong = hello_bytes(tvb, at, left, state)
  if wrong ~= "no hello" then
    return bytes, more, wrong, function(tree) return show_hello(tree, tvb, at, bytes, state) end
  end
  local version
  bytes, more, wrong, version = frame_bytes(tvb, at, left, state)
  return bytes, more, wrong, function(tree) return show_frame(tree, tvb, at, state, version) end
end

-- Returns what is known of the sender; of one whose HELLO is not in the capture, what its peer said.
local function state_of()
  local stream = tostring(tcp_stream())
  local key = stream .. " " .. tostring(tcp_srcport())
  senders[key] = senders[key] or {}
  local own = senders[key]
  if not own.version then
    for other, state in pairs(senders) do
      if other ~= key and other:match("^%d+") == stream and state.version then
        return {version = state.version, big = false}, own
      end
    end
  end
  return own, own
end

function rylnet.dissector(tvb, pinfo, root)
  local at = 0
  local said = {}
  local known, own = state_of()
  pinfo.cols.protocol = "LNet"
  while at < tvb:len() do
    local left = tvb:len() - at
    local state = own.version and own or known
    local found = {}
    setmetatable(found, {__index = state})
    local bytes, more, wrong, show_it = next_structure(tvb, at, left, found)
    if rawget(found, "version") then own.version, own.big = found.version, found.big end
    if (bytes and bytes > left or more) and pinfo.can_desegment > 0 then
      pinfo.desegment_offset = at
      pinfo.desegment_len = bytes and bytes - left or DESEGMENT_ONE_MORE_SEGMENT
      break
    end
    local tree = root:add(rylnet, tvb(at, bytes and math.min(bytes, left) or left))
    if wrong then
      if wrong == "" then
        complain(tree, unknown, "no frame of LNet starts here: " .. left .. " bytes passed over")
      else
        complain(tree, flaw, wrong)
      end
      said[#said + 1] = "?"
      break
    end
    if more then
      complain(tree, flaw, "cut short: " .. left .. " bytes found, " .. more .. " expected")
      said[#said + 1] = "cut short"
      break
    end
    local text = show_it(tree) or "?"
    tree:append_text(": " .. text)
    said[#said + 1] = text
    at = at + bytes
  end
  if #said > 0 then pinfo.cols.info = table.concat(said, "; ") end
  return tvb:len()
end

-- ---- o2iblnd ----

local function kib_descriptor(tree, tvb, at, finish, big)
  local sub = branch(tree, tvb, at, finish - at, "Descriptor")
  if not show(sub, tvb, at, S.kib_descriptor, big) then return end
  local count = u32(tvb, at + S.kib_descriptor.at.nfrags, big)
  if count < 1 or count > C.KIB_MAX_FRAGMENTS then
    complain(sub, flaw, string.format("a descriptor has %.0f fragments, expected 1…%d", count, C.KIB_MAX_FRAGMENTS))
    return
  end
  at = at + S.kib_descriptor.bytes
  for i = 1, count do
    if at + S.kib_fragment.bytes > finish then
      complain(sub, flaw, "a descriptor is cut short in fragment " .. i .. " of " .. count)
      return
    end
    show(branch(sub, tvb, at, S.kib_fragment.bytes, "Fragment " .. i), tvb, at, S.kib_fragment, big)
    at = at + S.kib_fragment.bytes
  end
end

-- Addresses of a group of interfaces behind a CONNACK, which only railyard writes (spec 21 cb-090).
local function kib_addresses(tree, tvb, at)
  if at + S.kib_addresses.bytes > tvb:len() or u32(tvb, at, true) ~= C.KIB_ADVERTISED then return end
  local sub = branch(tree, tvb, at, tvb:len() - at, "Advertised addresses")
  show(sub, tvb, at, S.kib_addresses, false)
  local count = tvb(at + S.kib_addresses.at.count, 1):uint()
  at = at + S.kib_addresses.bytes
  if count < 1 or count > C.KIB_MAX_ADVERTISED or at + count * 4 > tvb:len() then
    complain(sub, flaw, count .. " advertised addresses, expected 1 to " .. C.KIB_MAX_ADVERTISED .. " that are there")
    return
  end
  for i = 0, count - 1 do
    sub:add(F["kib.addresses.ip"], tvb(at + i * 4, 4), table.concat(bytes_of(tvb, at + i * 4, 4), "."))
  end
end

-- Between nodes of railyard further messages may follow, at multiples of a few bytes (spec 20 §23).
local function kib_messages(tree, tvb, at, finish)
  local said = {}
  while at + S.header_nid4.bytes <= finish do
    local stop = at + S.header_nid4.bytes + u32(tvb, at + S.header_nid4.at.payload_length, false)
    said[#said + 1] = message(tree, tvb(0, math.min(stop, finish)):tvb(), at, false)
    at = math.ceil(stop / C.KIB_ALIGNMENT) * C.KIB_ALIGNMENT
  end
  return table.concat(said, "; ")
end

local function kib_body(tree, tvb, at, finish, big, kind)
  local body = at + S.kib.bytes
  local behind = body + S.header_nid4.bytes
  if kind == "CONNREQ" or kind == "CONNACK" then
    show(tree, tvb, body, S.kib_parameters, big)
    kib_addresses(tree, tvb, body + S.kib_parameters.bytes)
  elseif kind == "IMMEDIATE" then
    return kib_messages(tree, tvb, body, finish)
  elseif kind == "PUT_REQ" or kind == "GET_REQ" then
    local sub = branch(tree, tvb, body, S.header_nid4.bytes, "LNet message")
    local _, text = header(sub, tvb, body, false)
    show(tree, tvb, behind, S.kib_cookie, big)
    if kind == "GET_REQ" then kib_descriptor(tree, tvb, behind + S.kib_cookie.bytes, finish, big) end
    return text
  elseif kind == "PUT_ACK" then
    show(tree, tvb, body, S.kib_cookies, big)
    kib_descriptor(tree, tvb, body + S.kib_cookies.bytes, finish, big)
  elseif kind ~= "NOOP" then
    show(tree, tvb, body, S.kib_completion, big)
  end
  return nil
end

local function kib_message(tvb, pinfo, root, big)
  local number = tvb(S.kib.at.type, 1):uint()
  local kind = N.kib_type[number]
  local tree = root:add(rylnet, tvb())
  pinfo.cols.protocol = "LNet"
  pinfo.cols.info = kind or string.format("type 0x%02x", number)
  if not show(tree, tvb, 0, S.kib, big) then return end
  local nob = u32(tvb, S.kib.at.nob, big)
  if not kind then
    complain(tree, flaw, string.format("message type is 0x%02x, expected 0xc0…0xd7", number))
  elseif nob < tonumber(N.kib_bytes[number]) or nob > tvb:len() then
    complain(tree, flaw, string.format("%s says that it has %.0f bytes, expected %s…%d", kind, nob,
        N.kib_bytes[number], tvb:len()))
  else
    local text = kib_body(tree, tvb, 0, nob, big, kind)
    tree:append_text(": " .. kind .. (text and " " .. text or ""))
    pinfo.cols.info = kind .. (text and ": " .. text or "")
  end
end

-- Returns whether it is a message of o2iblnd that starts, and its byte order.
local function starts_kib(tvb)
  if tvb:len() < 8 then return false end
  local found, big = has_magic(tvb, 0, C.MAGIC_KIB)
  if not found then return false end
  local range = tvb(S.kib.at.version, 2)
  local version = big and range:uint() or range:le_uint()
  return version == C.KIB_V1 or version == C.KIB_V2, big
end

local function in_payload(tvb, pinfo, root)
  local found, big = starts_kib(tvb)
  if found then kib_message(tvb, pinfo, root, big) end
  return found
end

-- Private data of the connection manager: a message, or why a connection was refused.
local function in_private_data(tvb, pinfo, root)
  local found, big = starts_kib(tvb)
  if found and N.reject_reason[tvb(S.kib_reject.at.why, 1):uint()] then
    local tree = root:add(rylnet, tvb(), "LNet: reject")
    show(tree, tvb, 0, S.kib_reject, big)
    if tvb:len() >= S.kib_reject.bytes then
      show(tree, tvb, S.kib_reject.at.limits, S.kib_parameters, big)
    end
    pinfo.cols.protocol = "LNet"
    pinfo.cols.info = "reject " .. N.reject_reason[tvb(S.kib_reject.at.why, 1):uint()]
  elseif found then
    kib_message(tvb, pinfo, root, big)
  end
  return found
end

rylnet:register_heuristic("infiniband.payload", in_payload)
rylnet:register_heuristic("infiniband.mad.cm.private", in_private_data)

-- ---- ports ----

rylnet.prefs.ports = Pref.range("TCP ports", "988", "Ports of LNet over TCP, for example 988,10988", 65535)

local tcp = DissectorTable.get("tcp.port")
local ports = rylnet.prefs.ports
tcp:add(ports, rylnet)

function rylnet.prefs_changed()
  if ports ~= rylnet.prefs.ports then
    if ports ~= "" then tcp:remove(ports, rylnet) end
    ports = rylnet.prefs.ports
    if ports ~= "" then tcp:add(ports, rylnet) end
  end
end
