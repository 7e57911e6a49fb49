;; What a search does to every byte of every file, 16 bytes at a time or more. `deno task kernel` assembles it into
;; kernel_bytes.ts. Addresses are in the given memory, which must extend 16 bytes beyond `end` plus the largest offset.
(module
  (import "search" "memory" (memory 1))

  ;; The first place from $at on with the byte $first $i bytes further, $second $j bytes further, and $others more
  ;; bytes: their offsets are at 0, and the bytes at 32. $end or more when there is none before it. The number of
  ;; places with the two bytes but not the others is written to 96.
  (func (export "pair")
    (param $at i32) (param $end i32) (param $i i32) (param $first i32) (param $j i32) (param $second i32)
    (param $others i32)
    (result i32)
    (local $wanted_i v128) (local $wanted_j v128) (local $x i32) (local $y i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $places i64) (local $place i32) (local $left i32) (local $passed i32)
    (local.set $wanted_i (i8x16.splat (local.get $first)))
    (local.set $wanted_j (i8x16.splat (local.get $second)))
    (block $none
      (loop $next
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $x (i32.add (local.get $at) (local.get $i)))
        (local.set $y (i32.add (local.get $at) (local.get $j)))
        (local.set $a
          (v128.and
            (i8x16.eq (v128.load (local.get $x)) (local.get $wanted_i))
            (i8x16.eq (v128.load (local.get $y)) (local.get $wanted_j))))
        (if (i32.le_u (i32.add (local.get $at) (i32.const 64)) (local.get $end))
          (then ;; 64 bytes at a time
            (local.set $b
              (v128.and
            (i8x16.eq (v128.load offset=16 (local.get $x)) (local.get $wanted_i))
            (i8x16.eq (v128.load offset=16 (local.get $y)) (local.get $wanted_j))))
            (local.set $c
              (v128.and
            (i8x16.eq (v128.load offset=32 (local.get $x)) (local.get $wanted_i))
            (i8x16.eq (v128.load offset=32 (local.get $y)) (local.get $wanted_j))))
            (local.set $d
              (v128.and
            (i8x16.eq (v128.load offset=48 (local.get $x)) (local.get $wanted_i))
            (i8x16.eq (v128.load offset=48 (local.get $y)) (local.get $wanted_j))))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br_if $next
              (i32.eqz
                (v128.any_true
                  (v128.or (v128.or (local.get $a) (local.get $b)) (v128.or (local.get $c) (local.get $d))))))
            (local.set $at (i32.sub (local.get $at) (i32.const 64)))
            (local.set $left (i32.const 64))
            (local.set $places
              (i64.or
                (i64.or
                  (i64.extend_i32_u (i8x16.bitmask (local.get $a)))
                  (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $b))) (i64.const 16)))
                (i64.or
                  (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $c))) (i64.const 32))
                  (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $d))) (i64.const 48))))))
          (else
            (local.set $left (i32.const 16))
            (local.set $places (i64.extend_i32_u (i8x16.bitmask (local.get $a))))))
        (block $done
          (loop $each
            (br_if $done (i64.eqz (local.get $places)))
            (local.set $place
              (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $places)))))
            (br_if $none (i32.ge_u (local.get $place) (local.get $end)))
            (local.set $x (local.get $others))
            (block $another
              (loop $test
                (if (i32.eqz (local.get $x))
                  (then
                    (i32.store (i32.const 96) (local.get $passed))
                    (return (local.get $place))))
                (local.set $x (i32.sub (local.get $x) (i32.const 1)))
                (br_if $test
                  (i32.eq
                    (i32.load8_u (i32.add (local.get $place) (i32.load8_u (local.get $x))))
                    (i32.load8_u offset=32 (local.get $x))))))
            (local.set $passed (i32.add (local.get $passed) (i32.const 1)))
            (local.set $places
              (i64.and (local.get $places) (i64.sub (local.get $places) (i64.const 1))))
            (br $each)))
        (local.set $at (i32.add (local.get $at) (local.get $left)))
        (br $next)))
    (i32.store (i32.const 96) (local.get $passed))
    (local.get $end))

  ;; The first place from $at on where the bytes $i, $j and $k bytes on belong to one bucket in all three pairs of
  ;; tables; $end or more when there is none before it. The tables are at 0: for each of the three, 16 bytes by a
  ;; byte's low half and 16 by its high half, each with the bits of the buckets it may belong to. The third byte is
  ;; checked only where the other two match.
  (func (export "classes")
    (param $at i32) (param $end i32) (param $i i32) (param $j i32) (param $k i32)
    (result i32)
    (local $low_i v128) (local $high_i v128) (local $low_j v128) (local $high_j v128)
    (local $low_k v128) (local $high_k v128)
    (local $half v128) (local $bytes v128) (local $found v128) (local $behind v128)
    (local.set $low_i (v128.load (i32.const 0)))
    (local.set $high_i (v128.load (i32.const 16)))
    (local.set $low_j (v128.load (i32.const 32)))
    (local.set $high_j (v128.load (i32.const 48)))
    (local.set $low_k (v128.load (i32.const 64)))
    (local.set $high_k (v128.load (i32.const 80)))
    (local.set $half (i8x16.splat (i32.const 15)))
    ;; 32 bytes at a time, up to those where something is found.
    (block $near
      (loop $next
        (br_if $near (i32.gt_u (i32.add (local.get $at) (i32.const 32)) (local.get $end)))
        (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $i))))
        (local.set $found
          (v128.and
            (i8x16.swizzle (local.get $low_i) (v128.and (local.get $bytes) (local.get $half)))
            (i8x16.swizzle (local.get $high_i) (i8x16.shr_u (local.get $bytes) (i32.const 4)))))
        (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $j))))
        (local.set $found
          (v128.and
            (local.get $found)
            (v128.and
              (i8x16.swizzle (local.get $low_j) (v128.and (local.get $bytes) (local.get $half)))
              (i8x16.swizzle (local.get $high_j) (i8x16.shr_u (local.get $bytes) (i32.const 4))))))
        (local.set $bytes (v128.load offset=16 (i32.add (local.get $at) (local.get $i))))
        (local.set $behind
          (v128.and
            (i8x16.swizzle (local.get $low_i) (v128.and (local.get $bytes) (local.get $half)))
            (i8x16.swizzle (local.get $high_i) (i8x16.shr_u (local.get $bytes) (i32.const 4)))))
        (local.set $bytes (v128.load offset=16 (i32.add (local.get $at) (local.get $j))))
        (local.set $behind
          (v128.and
            (local.get $behind)
            (v128.and
              (i8x16.swizzle (local.get $low_j) (v128.and (local.get $bytes) (local.get $half)))
              (i8x16.swizzle (local.get $high_j) (i8x16.shr_u (local.get $bytes) (i32.const 4))))))
        (if (v128.any_true (v128.or (local.get $found) (local.get $behind)))
          (then
            (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $k))))
            (local.set $found
              (v128.and
                (local.get $found)
                (v128.and
                  (i8x16.swizzle (local.get $low_k) (v128.and (local.get $bytes) (local.get $half)))
                  (i8x16.swizzle (local.get $high_k) (i8x16.shr_u (local.get $bytes) (i32.const 4))))))
            (local.set $bytes (v128.load offset=16 (i32.add (local.get $at) (local.get $k))))
            (local.set $behind
              (v128.and
                (local.get $behind)
                (v128.and
                  (i8x16.swizzle (local.get $low_k) (v128.and (local.get $bytes) (local.get $half)))
                  (i8x16.swizzle (local.get $high_k) (i8x16.shr_u (local.get $bytes) (i32.const 4))))))
            (br_if $near (v128.any_true (v128.or (local.get $found) (local.get $behind))))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $next)))
    (block $none
      (loop $next
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $i))))
        (local.set $found
          (v128.and
            (i8x16.swizzle (local.get $low_i) (v128.and (local.get $bytes) (local.get $half)))
            (i8x16.swizzle (local.get $high_i) (i8x16.shr_u (local.get $bytes) (i32.const 4)))))
        (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $j))))
        (local.set $found
          (v128.and
            (local.get $found)
            (v128.and
              (i8x16.swizzle (local.get $low_j) (v128.and (local.get $bytes) (local.get $half)))
              (i8x16.swizzle (local.get $high_j) (i8x16.shr_u (local.get $bytes) (i32.const 4))))))
        (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $k))))
        (local.set $found
          (v128.and
            (local.get $found)
            (v128.and
              (i8x16.swizzle (local.get $low_k) (v128.and (local.get $bytes) (local.get $half)))
              (i8x16.swizzle (local.get $high_k) (i8x16.shr_u (local.get $bytes) (i32.const 4))))))
        (if (v128.any_true (local.get $found))
          (then
            (return
              (i32.add
                (local.get $at)
                (i32.ctz (i8x16.bitmask (i8x16.ne (local.get $found) (v128.const i64x2 0 0))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (local.get $end))

  ;; The first place from $at on where $length bytes in a row, 32 at most, belong to one bucket of a pair of tables;
  ;; $end or more when there is none before it. The tables are at 0, as above. The last bytes of a row are tested
  ;; first: the next row can begin after the last of them that is not in the bucket.
  (func (export "run") (param $at i32) (param $end i32) (param $length i32) (result i32)
    (local $low v128) (local $high v128) (local $half v128) (local $bytes v128)
    (local $back i32) (local $wanted i32) (local $missing i32)
    (local.set $low (v128.load (i32.const 0)))
    (local.set $high (v128.load (i32.const 16)))
    (local.set $half (i8x16.splat (i32.const 15)))
    (local.set $wanted (i32.const 0xffff))
    (if (i32.ge_u (local.get $length) (i32.const 16))
      (then (local.set $back (i32.sub (local.get $length) (i32.const 16))))
      (else
        (local.set $wanted (i32.sub (i32.shl (i32.const 1) (local.get $length)) (i32.const 1)))))
    (block $none
      (loop $next
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $bytes (v128.load (i32.add (local.get $at) (local.get $back))))
        (local.set $missing
          (i32.and
            (local.get $wanted)
            (i8x16.bitmask
              (i8x16.eq
                (v128.and
                  (i8x16.swizzle (local.get $low) (v128.and (local.get $bytes) (local.get $half)))
                  (i8x16.swizzle (local.get $high) (i8x16.shr_u (local.get $bytes) (i32.const 4))))
                (v128.const i64x2 0 0)))))
        (if (local.get $missing)
          (then
            (local.set $at
              (i32.add
                (i32.add (local.get $at) (local.get $back))
                (i32.sub (i32.const 32) (i32.clz (local.get $missing)))))
            (br $next)))
        (local.set $bytes (v128.load (local.get $at)))
        (local.set $missing
          (i32.and
            (local.get $wanted)
            (i8x16.bitmask
              (i8x16.eq
                (v128.and
                  (i8x16.swizzle (local.get $low) (v128.and (local.get $bytes) (local.get $half)))
                  (i8x16.swizzle (local.get $high) (i8x16.shr_u (local.get $bytes) (i32.const 4))))
                (v128.const i64x2 0 0)))))
        (if (i32.eqz (local.get $missing)) (then (return (local.get $at))))
        (local.set $at
          (i32.add (local.get $at) (i32.sub (i32.const 32) (i32.clz (local.get $missing)))))
        (br $next)))
    (local.get $end))

  ;; How often a byte occurs from $at to before $end.
  (func (export "count") (param $at i32) (param $end i32) (param $byte i32) (result i32)
    (local $wanted v128) (local $few v128) (local $many v128) (local $count i32) (local $stop i32)
    (local.set $wanted (i8x16.splat (local.get $byte)))
    ;; 16 counts side by side, which are added up before one of them can be more than 255.
    (block $near
      (loop $far
        (local.set $stop (i32.add (local.get $at) (i32.const 4032)))
        (br_if $near (i32.gt_u (local.get $stop) (local.get $end)))
        (local.set $few (v128.const i64x2 0 0))
        (loop $next
          (local.set $few
            (i8x16.sub
              (local.get $few)
              (i8x16.add
                (i8x16.add
                  (i8x16.eq (v128.load (local.get $at)) (local.get $wanted))
                  (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $wanted)))
                (i8x16.add
                  (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $wanted))
                  (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $wanted))))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $next (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $many
          (i32x4.add
            (local.get $many)
            (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $few)))))
        (br $far)))
    (local.set $count
      (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $many)) (i32x4.extract_lane 1 (local.get $many)))
        (i32.add (i32x4.extract_lane 2 (local.get $many)) (i32x4.extract_lane 3 (local.get $many)))))
    (block $last
      (loop $next
        (br_if $last (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
        (local.set $count
          (i32.add
            (local.get $count)
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $wanted))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (block $none
      (loop $next
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $count
          (i32.add (local.get $count) (i32.eq (i32.load8_u (local.get $at)) (local.get $byte))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (local.get $count))
)
