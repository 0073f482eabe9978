import { claude, json, mcp, openAi, plain } from './frames.js'
import { type Invented, loop } from './script.js'

const domain = 'design'

export const designLoops: Invented[] = [
  loop(
    {
      name: 'a constraint added and taken away',
      domain,
      evidentAt: 13,
      why: 'The sketch is loose without it and over-constrained with it; the same line is fixed and freed in turn.',
      style: openAi,
    },
    (run) => {
      run.prompt('Sketch003 is under-constrained, make it fully constrained')
      run.until(76, (lap) => {
        const kind = run.pick(['Horizontal', 'Parallel'])
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick([
                'A constraint is missing.',
                'I add it again.',
                'This should fix the last degree of freedom.',
              ]),
          json(
            'add_constraint',
            { sketch: 'Sketch003', kind, geometry: [4, 7] },
            {
              id: 30 + lap,
              solver: 'conflict',
              dof: 0,
              message: 'Sketch contains conflicting constraints: (12, new)',
            },
          ),
        )
        run.step(
          '',
          json(
            'remove_constraint',
            { sketch: 'Sketch003', id: 30 + lap },
            { solver: 'ok', dof: 1, message: 'Under-constrained sketch with 1 degree of freedom' },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'undo and redo over a picture',
      domain,
      evidentAt: 12,
      why: 'The last stroke is taken back and brought again; the two pictures come up in turn.',
      style: claude,
    },
    (run) => {
      run.prompt('retouch the wire out of the sky')
      run.step('', mcp('paint_heal', { from: [120, 88], to: [410, 92], size: 14 }, 'canvas 7fa1'))
      run.until(73, (lap) => {
        const back = lap % 2 === 0
        run.step(
          run.pick(
            back
              ? ['', 'It looks smeared, I undo it.', 'That was not right.']
              : ['', 'The wire is back. I redo it.', 'It was better before.'],
          ),
          mcp(back ? 'undo' : 'redo', {}, back ? 'Undo: heal' : 'Redo: heal'),
        )
        if (run.chance(0.6))
          run.step(
            '',
            mcp(
              'get_canvas',
              { scale: 0.5 },
              back ? '[image 960x540, sha 0b93]' : '[image 960x540, sha 7fa1]',
            ),
          )
      })
    },
  ),
  loop(
    {
      name: 'a render that stays black',
      domain,
      evidentAt: 18,
      why: 'The camera stands inside a wall; lamps, power and exposure are changed, and the picture is the same black one.',
      style: { ids: 'toolu_01', clock: true },
    },
    (run) => {
      run.prompt('mi escena de blender sale negra, arréglala')
      run.until(76, (lap) => {
        const code = run.pick([
          `bpy.data.lights['Key'].energy = ${run.int(2, 90) * 100}`,
          `bpy.context.scene.view_settings.exposure = ${run.int(1, 6)}`,
          `bpy.ops.object.light_add(type='${run.pick(['SUN', 'AREA', 'POINT'])}', location=(${run.int(-5, 5)}, ${run.int(-5, 5)}, ${run.int(2, 9)}))`,
          `bpy.context.scene.world.node_tree.nodes['Background'].inputs[1].default_value = ${run.decimal(0.5, 4)}`,
          `bpy.context.scene.render.engine = '${run.pick(['CYCLES', 'BLENDER_EEVEE_NEXT'])}'`,
        ])
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick(['It needs more light.', 'I raise the exposure.', 'Another lamp then.']),
          mcp(
            'execute_blender_code',
            { code: `import bpy\n${code}` },
            'Code executed successfully: ',
          ),
        )
        run.step(
          '',
          mcp(
            'render_preview',
            { max_size: 800 },
            `Saved /tmp/preview_${run.hex(8)}.png (800x450, mean luminance 0.000, camera clipped by object "Wall.002") in ${run.decimal(1, 9)}s`,
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a logo that is always spelled wrong',
      domain,
      evidentAt: 13,
      why: 'Picture after picture is ordered in other words, and each has the same wrong letters in it.',
      style: openAi,
    },
    (run) => {
      const wrong = run.pick(['COFEFE HOUSE', 'COFFFE HOUSE', 'COFEE HUOSE'])
      run.prompt('logo for "Coffee House", the text must be right')
      run.until(74, (lap) => {
        const image = `img_${run.token(16)}`
        run.step(
          (lap + 1) % 3
            ? ''
            : run.pick(['The spelling is off. I try again.', 'A clearer prompt should help.', '']),
          json(
            'generate_image',
            {
              prompt: `${run.pick(['Minimal', 'Vintage', 'Modern', 'Flat', 'Hand-drawn'])} logo ${run.pick(['with the text', 'that reads', 'saying exactly', 'spelled'])} "Coffee House", ${run.pick(['brown', 'black on white', 'warm colours', 'two colours'])}, ${run.pick(['correct spelling', 'no typos', 'letters C-O-F-F-E-E', 'legible type'])}`,
              seed: run.int(1, 1e6),
            },
            { image, size: '1024x1024', cost: 0.04 },
          ),
        )
        run.step(
          '',
          json(
            'read_text_in_image',
            { image },
            { text: wrong, confidence: Number(run.decimal(0.9, 0.99)) },
          ),
        )
      })
    },
  ),
  loop(
    {
      name: 'a part nudged on a grid that snaps back',
      domain,
      evidentAt: 16,
      why: 'Each small move is accepted and snapped to the same grid point, so the part never moves.',
    },
    (run) => {
      run.prompt('move C14 a bit to the right so it clears the connector (0.3mm or so)')
      run.until(74, (lap) => {
        run.step(
          (lap + 1) % 4
            ? ''
            : run.pick(['Nudging it a little.', 'A bit more to the right.', 'It should move now.']),
          plain(
            'move_footprint',
            { ref: 'C14', dx: Number(run.decimal(0.1, 0.45)), dy: 0 },
            'moved (snap 1.00 mm)',
          ),
        )
        run.step(
          '',
          plain('get_footprint', { ref: 'C14' }, 'C14  0805  at (88.00, 41.00)  rot 0  layer F.Cu'),
        )
      })
    },
  ),
]
